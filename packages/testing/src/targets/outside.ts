import { createSecretKey, randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LabTools } from '../../../engine/src/active/lab.ts';
import { startListener } from '../../../engine/src/oracle/listener.ts';
import { type AskForCalls, createOutside } from '../../../engine/src/oracle/outside.ts';
import { namesOfRun } from '../../../engine/src/oracle/outside-names.ts';
import type { OutsideCall, OutsideOrder } from '../../../engine/src/protocol/callback.ts';

export const ZONE = 'outside.test';

/** Starts the callback listener on loopback, with a DNS zone that only `tools` can resolve. */
export async function startTestListener({ runId = 'pen_lab', patienceMs = 0, hasZone = true } = {}) {
  const service = createSecretKey(randomBytes(32));
  const calls: OutsideCall[] = [];
  const listener = await startListener({
    service,
    http: { host: '127.0.0.1', port: 0 },
    dns: { host: '127.0.0.1', port: 0, zone: ZONE, address: '127.0.0.1' },
    async onCall(call) {
      calls.push({ ...call, at: new Date().toISOString() });
    },
    onFailure(error) {
      throw error;
    },
  });
  const { httpPort, dnsPort } = listener;
  const names = namesOfRun(service, runId);
  const url = `http://${hasZone ? ZONE : '127.0.0.1'}:${httpPort}`;
  const order: OutsideOrder = { ...names, url, zone: hasZone ? ZONE : null, patienceMs };
  const ask: AskForCalls = async (labels) => calls.filter(({ label }) => labels.includes(label));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${dnsPort}`]);

  /** Simulates a vulnerable program: resolves the name and requests the URL. */
  const tools: LabTools = {
    async lookUp(name) {
      if (name === ZONE || name.endsWith(`.${ZONE}`)) await resolver.resolve4(name);
    },
    async get(address) {
      const asked = URL.parse(address);
      const isOurs = asked?.hostname === '127.0.0.1' || asked?.hostname.endsWith(ZONE);
      if (!asked || !isOurs || asked.port !== String(httpPort)) return '';
      await tools.lookUp(asked.hostname);
      const { pathname, search, host } = asked;
      return new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port: httpPort, path: `${pathname}${search}`, headers: { host } })
          .on('response', (response) => resolve(text(response)))
          .on('error', reject)
          .end();
      });
    },
  };
  return { ...listener, calls, ask, order, outside: createOutside(order, ask), service, tools };
}
