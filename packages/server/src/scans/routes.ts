import { endpoints } from '@sortie/contract';
import type { Catalogue } from '../catalogue.ts';
import { type Route, route } from '../http/route.ts';
import { type StartContext, startOnce } from '../starts/starts.ts';
import { listFindings, readScan } from './read-scans.ts';
import { scanKind } from './scans.ts';
import { createScan, readScanUrl } from './start-scan.ts';

export function createScanRoutes(starts: StartContext, catalogue: Catalogue): Route[] {
  const { queries } = starts.database;
  return [
    route(endpoints.startScan, ({ caller, body, start }) => {
      const scanned = readScanUrl(body.url);
      return startOnce(starts, scanKind, { accountId: caller.accountId, ...start }, (tx, runId) =>
        createScan(tx, runId, caller, scanned, catalogue),
      );
    }),
    route(endpoints.getScan, ({ caller, params }) => readScan(queries, caller, params.id)),
    route(endpoints.listScanFindings, ({ caller, params, query }) => listFindings(queries, caller, params.id, query)),
  ];
}
