/** Runs a command in a real shell, for labs. `sleep` only reports its duration. */
export function runShell(command: string): { output: string; seconds: number } {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const script = `sleep() { echo "slept $1" >&2; }\n${command}`;
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
    timeout: 5_000,
  });
  const slept = [...stderr.matchAll(/^slept (\d+)$/gm)].map(([, seconds]) => Number(seconds));
  return { output: stdout, seconds: slept.reduce((sum, seconds) => sum + seconds, 0) };
}

export const quoteForShell = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
