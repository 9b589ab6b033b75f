import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Draws docs/images/gate.svg: runs the gate on the demo target and renders what the terminal shows. */
const root = path.resolve(import.meta.dirname, '..');
const launcher = path.join(root, 'packages/cli/bin/sortie.js');
const picture = path.join(root, 'docs/images/gate.svg');

const COLUMN = 8.4;
const LINE = 20;
const MARGIN = 20;
const COLOURS: Record<string, string> = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 36: '#76e3ea' };
const ESCAPE = String.fromCharCode(27);
const CHANGES = new RegExp(`${ESCAPE}\\[([0-9;]*)m`);

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of a terminal as spans; knows the few codes that the command line writes. */
function drawLine(line: string, row: number): string {
  let column = 0;
  let style = { colour: '', bold: false, dim: false };
  const spans: string[] = [];
  for (const [index, part] of line.split(CHANGES).entries()) {
    if (index % 2 === 1) {
      for (const code of part.split(';')) {
        if (code === '0' || code === '') style = { colour: '', bold: false, dim: false };
        else if (code === '1') style = { ...style, bold: true };
        else if (code === '2') style = { ...style, dim: true };
        else if (code === '22') style = { ...style, bold: false, dim: false };
        else style = { ...style, colour: COLOURS[code] ?? '' };
      }
    } else if (part !== '') {
      const fill = style.colour || (style.dim ? '#8b949e' : '');
      const attributes = `${fill && ` fill="${fill}"`}${style.bold ? ' font-weight="bold"' : ''}`;
      spans.push(`<tspan x="${(MARGIN + column * COLUMN).toFixed(1)}"${attributes}>${escapeXml(part)}</tspan>`);
      column += part.length;
    }
  }
  return `<text y="${MARGIN + 36 + row * LINE}" xml:space="preserve">${spans.join('')}</text>`;
}

function draw(lines: readonly string[]): string {
  const widest = Math.max(...lines.map((line) => line.replaceAll(new RegExp(CHANGES, 'g'), '').length));
  const width = Math.ceil(widest * COLUMN + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN + 24;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>sortie gate: a pentest of the demo target in a terminal</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, at) => `<circle cx="${22 + at * 20}" cy="20" r="6" fill="${fill}"/>`,
    ),
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
    ...lines.map(drawLine),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const sortie = (folder: string, args: readonly string[]) =>
  execFileSync(process.execPath, [launcher, ...args, '--data', folder, '--json'], { encoding: 'utf8' });

async function runGate(folder: string): Promise<{ command: string; output: string }> {
  const { baseUrl } = JSON.parse(sortie(folder, ['demo', 'status'])) as { baseUrl: string };
  const demo = JSON.parse(sortie(folder, ['demo', 'reset'])) as {
    apiKey: string;
    targets: { url: string; verificationId: string }[];
  };
  const target = demo.targets.find(({ url }) => url.startsWith('http://127.0.0.1'));
  if (!target) throw new Error('the demo account has no target on this machine');
  const { url, verificationId } = target;
  const args = ['gate', '--start', '--target', url, '--verification', verificationId, '--poll', '2s'];
  const gate = spawn(process.execPath, [launcher, ...args], {
    env: { ...process.env, SORTIE_API_KEY: demo.apiKey, SORTIE_BASE_URL: baseUrl, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const add = (chunk: string) => {
    output += chunk;
  };
  gate.stdout.setEncoding('utf8').on('data', add);
  gate.stderr.setEncoding('utf8').on('data', add);
  await new Promise((resolve) => gate.once('close', resolve));
  return { command: `npx sortie gate --start --target ${url} --verification ${verificationId}`, output };
}

const folder = mkdtempSync(path.join(tmpdir(), 'sortie-picture-'));
const ports = ['--port', '0', '--range-port', '4801', '--ops-port', '0'];
const server = spawn(process.execPath, [launcher, 'up', '--data', folder, ...ports], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  let printed = '';
  for await (const chunk of server.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.includes('sortie credits')) break;
  }
  const { command, output } = await runGate(folder);
  writeFileSync(picture, draw([`${ESCAPE}[32m$${ESCAPE}[39m ${command}`, ...output.trimEnd().split('\n')]));
} finally {
  server.kill();
  await new Promise((resolve) => server.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${picture}: ${readFileSync(picture).length} bytes\n`);
