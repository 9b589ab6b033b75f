import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runShell } from './shell.ts';

describe('the shell that is none', () => {
  const lines: Record<string, string> = {
    'echo one; echo two': 'one\ntwo\n',
    'echo $((6*7))': '42\n',
    'expr 6 \\* 7': '42\n',
    'echo a`echo b`c': 'abc\n',
    'echo "$(expr 3 + 4)"': '7\n',
    "echo '$(expr 3 + 4)'": '$(expr 3 + 4)\n',
    'echo "a; echo b"': 'a; echo b\n',
    'false || echo rescued': 'rescued\n',
    'true || echo never': '',
    'false && echo never': '',
    'echo hidden | echo shown': 'shown\n',
    'cat /etc/hostname | cat': 'range\n',
    'echo${IFS}gap': 'gap\n',
    'nothing-like-it': 'sh: nothing-like-it: not found\n',
    'echo "open': 'sh: Unterminated quoted string\n',
    'echo x 2>&1 # and so on': 'x\n',
    'echo $(echo $((2+3)))': '5\n',
  };
  for (const [line, output] of Object.entries(lines)) {
    it(`answers ${line}`, () => assert.equal(runShell(line).output, output));
  }

  it('says how long it would sleep', () => {
    assert.equal(runShell('sleep 2; sleep $((1+2))').sleepSeconds, 5);
    assert.equal(runShell('false && sleep 2').sleepSeconds, 0);
  });

  it('says whom it would call', () => {
    assert.deepEqual(runShell('curl http$(date +%T|cut -c3)//host').calls, ['http://host']);
    assert.deepEqual(runShell('curl -s http://host/$((6*7)); wget http://other').calls, [
      'http://host/42',
      'http://other',
    ]);
  });

  it('reads no real file and ends whatever it is told', () => {
    assert.match(runShell(`cat ${import.meta.filename}`).output, /No such file/);
    assert.ok(runShell('echo x;'.repeat(1_000)).output.length < 5_000);
    runShell('$('.repeat(2_000));
    runShell('`'.repeat(2_001));
  });
});
