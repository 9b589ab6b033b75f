import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { describe, it, mock } from 'node:test';
import { readConfig } from '../settings/config.ts';
import { createPaint } from './paint.ts';
import { showWaiting } from './waiting.ts';

const FIVE_MINUTES = 5 * 60_000;

/** Returns what is shown while `work` runs, with mocked timers. */
function shownDuring(
  options: { isAnimated?: boolean; isQuiet?: boolean; columns?: number },
  work: (waiting: ReturnType<typeof showWaiting>) => void,
): string {
  mock.timers.enable({ apis: ['setInterval'] });
  let text = '';
  const { isAnimated = false, isQuiet = false, columns = 80 } = options;
  const output = { columns, write: (more: string) => (text += more) };
  try {
    const waiting = showWaiting({ output, isAnimated, isQuiet, untilNextPoll: () => 12_000 });
    work(waiting);
    waiting.stop();
    mock.timers.tick(2 * FIVE_MINUTES);
    return text;
  } finally {
    mock.timers.reset();
  }
}

describe('what is shown while something is waited for', () => {
  it('is a line for each change where nobody watches, and a sign of life every five minutes', () => {
    const text = shownDuring({}, ({ tell }) => {
      tell({ state: 'RECON', strip: '●●◐' });
      tell({ state: 'RECON', strip: '●●◐' });
      tell({ state: 'RECON', strip: '●●◐', detail: '1 finding (1 high)' });
      mock.timers.tick(FIVE_MINUTES);
    });
    const lines = [
      '●●◐  RECON',
      '●●◐  RECON  1 finding (1 high)',
      'still ●●◐  RECON  1 finding (1 high); next poll in 12s',
    ];
    assert.equal(text, lines.map((line) => `0:00  ${line}\n`).join(''));
  });

  it('is one line that is written anew on a terminal, never longer than that is wide, and gone at the end', () => {
    const text = shownDuring({ isAnimated: true, columns: 30 }, ({ tell, note }) => {
      tell({ state: 'WEB_TEST', strip: '●●●●◐○○○' });
      note('trying again');
      mock.timers.tick(200);
    });
    const lines = text.split('\r\u001b[2K');
    assert.deepEqual(lines.slice(0, 3), ['', '●●●●◐○○○  WEB_TEST  0:00  nex', '0:00  trying again\n']);
    assert.equal(lines[3], lines[1]);
    assert.equal(lines.at(-1), '');
  });

  it('is nothing where somebody asked for quiet, and gives no orders to a terminal', () => {
    assert.equal(
      shownDuring({ isQuiet: true }, ({ tell }) => tell({ state: 'RECON' })),
      '',
    );
    assert.equal(
      shownDuring({}, ({ tell }) => tell({ state: 'A\u001b[2J' })),
      '0:00  A?[2J\n',
    );
  });
});

describe('colours', () => {
  const terminal = { isTTY: true, hasColors: () => true };

  const RED = '\u001b[31mHIGH\u001b[39m';

  it('are for terminals that have them', () => {
    assert.equal(createPaint(terminal, 'terminal').severity('HIGH', 'HIGH'), RED);
    assert.equal(createPaint(terminal, 'never').severity('HIGH', 'HIGH'), 'HIGH');
    assert.equal(createPaint({ isTTY: true, hasColors: () => false }, 'terminal').bad('no'), 'no');
    assert.equal(createPaint({ hasColors: () => true }, 'terminal').bad('no'), 'no');
    assert.equal(createPaint({}, 'always').severity('HIGH', 'HIGH'), RED);
  });

  it('are written into the log of a CI service, and never into a file', () => {
    const file = openSync(import.meta.filename, 'r');
    const device = openSync('/dev/null', 'r');
    try {
      assert.equal(createPaint({ fd: device }, 'unless-file').severity('HIGH', 'HIGH'), RED);
      assert.equal(createPaint({ fd: file }, 'unless-file').severity('HIGH', 'HIGH'), 'HIGH');
    } finally {
      closeSync(file);
      closeSync(device);
    }
  });

  it('follow NO_COLOR, FORCE_COLOR and TERM in this order', () => {
    const color = (variables: NodeJS.ProcessEnv) => readConfig(variables).color;
    assert.equal(color({ NO_COLOR: '1', FORCE_COLOR: '1' }), 'never');
    assert.equal(color({ FORCE_COLOR: '', TERM: 'dumb' }), 'always');
    assert.equal(color({ FORCE_COLOR: '0' }), 'never');
    assert.equal(color({ TERM: 'dumb' }), 'never');
  });

  it('show a severity that nobody knows as the worst', () => {
    const paint = createPaint(terminal, 'always');
    assert.equal(paint.severity('NEW', 'x'), paint.severity('CRITICAL', 'x'));
  });
});
