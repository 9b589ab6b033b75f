import type { Caller } from './call.ts';
import type { CallOptions, StartOptions } from './options.ts';
import { createPages, type Pages } from './pages.ts';
import type {
  Answer,
  Query,
  Scan,
  ScanFinding,
  ScanFindings,
  ScanList,
  StartAnswer,
  StartedScan,
  StartScan,
} from './types.ts';

type ListQuery = Query<'listScans'>;
type FindingsQuery = Query<'listScanFindings'>;

/** Starts and reads scans. */
export interface Scans {
  /** Starts a passive scan, once for each idempotency key. */
  start(body: StartScan, options?: StartOptions): Promise<StartAnswer<StartedScan>>;
  /** Resolves to one page of the scans, newest first. */
  list(query?: ListQuery, options?: CallOptions): Promise<Answer<ScanList>>;
  /** All scans, newest first. */
  listAll(query?: ListQuery, options?: CallOptions): Pages<Scan, ScanList>;
  /** Resolves to one scan: its status, score and counts of findings. */
  get(id: string, options?: CallOptions): Promise<Answer<Scan>>;
  /** Resolves to one page of the failed checks, worst first. */
  findings(id: string, query?: FindingsQuery, options?: CallOptions): Promise<Answer<ScanFindings>>;
  /** All failed checks, worst first. */
  findingsAll(id: string, query?: FindingsQuery, options?: CallOptions): Pages<ScanFinding, ScanFindings>;
}

/** Creates the calls about scans. */
export function createScans({ call, start }: Caller): Scans {
  const list: Scans['list'] = (query = {}, options) => call('listScans', { query }, options);
  const findings: Scans['findings'] = (id, query = {}, options) => call('listScanFindings', { id, query }, options);
  return {
    start: (body, options) => start('startScan', body, options),
    list,
    listAll: (query = {}, options) =>
      createPages(
        (page) => list({ ...query, ...page }, options),
        (page) => page.scans,
        query,
      ),
    get: (id, options) => call('getScan', { id }, options),
    findings,
    findingsAll: (id, query = {}, options) =>
      createPages(
        (page) => findings(id, { ...query, ...page }, options),
        (page) => page.findings,
        query,
      ),
  };
}
