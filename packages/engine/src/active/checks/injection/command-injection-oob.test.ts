import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { PointCheck } from '../../define-active-check.ts';
import type { LabAnswer, LabTools, PointLab } from '../../lab.ts';
import { runShell } from '../../labs/shell.ts';
import check from './command-injection-oob.ts';

/** Sends what the command would have sent, and shows nothing of it. */
async function run(command: string, tools: LabTools | undefined): Promise<LabAnswer> {
  const { output } = runShell(`curl() { for url in "$@"; do :; done; echo "$url"; }\n${command}`);
  for (const url of output.split('\n').filter((line) => line.startsWith('http'))) await tools?.get(url);
  return { body: 'DOWN' };
}

type Connecting = (value: string, tools: LabTools | undefined) => LabAnswer | Promise<LabAnswer>;

const targets: Record<string, { value: string; connect: Connecting; expected?: 'CONFIRMED' }> = {
  'a host, and a port after the first colon': {
    value: 'db.shop.test:5432',
    connect: (value, tools) => run(`true ${value.split(':')[0]} ${value.split(':')[1]}`, tools),
    expected: 'CONFIRMED',
  },
  'exactly one colon': {
    value: 'tea',
    connect(value, tools) {
      const [host, port, ...others] = value.split(':');
      return port === undefined || others.length > 0 ? { status: 500 } : run(`true ${host} ${port}`, tools);
    },
    expected: 'CONFIRMED',
  },
  'a host as one argument': {
    value: 'db.shop.test',
    connect: (value, tools) => run(`true '${value}'`, tools),
    expected: 'CONFIRMED',
  },
  'a host without a shell': { value: 'db.shop.test', connect: () => ({ body: 'DOWN' }) },
};

describe('a blind command takes', () => {
  const named = Object.entries(targets).map(([name, { value, connect, expected }], index) => {
    const lab = (tools?: LabTools): PointLab => {
      const answer = (given: string) => connect(given, tools);
      return { parameter: 'address', value, vulnerable: answer, safe: answer };
    };
    return { name, expected, check: { ...(check as PointCheck), id: `case-${index}`, lab } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { name, expected, check: one } of named) {
    it(`${name}, which is ${expected ? 'proved' : 'not proved'}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, expected);
    });
  }
});
