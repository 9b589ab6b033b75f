import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Answer, html, type Routes } from '../answer.ts';

const source = (name: string) => readFileSync(path.join(import.meta.dirname, 'client', name), 'utf8');

/** Serves the script without its comments, and a source map that contains them. */
function scriptRoutes(name: string): Routes {
  const whole = source(name);
  const served = whole
    .split('\n')
    .map((line) => (/^\s*\/\//.test(line) ? '' : line))
    .join('\n');
  const map = {
    version: 3,
    file: name,
    sources: [`src/${name}`],
    sourcesContent: [whole],
    names: [],
    // Maps each line to the same line.
    mappings: whole
      .split('\n')
      .map((_, line) => (line === 0 ? 'AAAA' : 'AACA'))
      .join(';'),
  };
  const script = (body: string, contentType: string) => (): Answer => ({
    status: 200,
    headers: { 'content-type': contentType },
    body,
  });
  return {
    [`GET /app/${name}`]: script(`${served}//# sourceMappingURL=${name}.map\n`, 'text/javascript; charset=utf-8'),
    [`GET /app/${name}.map`]: script(JSON.stringify(map), 'application/json'),
  };
}

const shell = (part: string, body: string, script: string) => `<!doctype html>
<html lang="en" data-part="${part}">
<head><meta charset="utf-8"><title>The Range, as an app</title></head>
<body><h1>The Range</h1>
${body}
<script src="/app/${script}"></script>
</body>
</html>
`;

const places = ['search', 'find', 'sort', 'order', 'greeting', 'salute', 'products'];

export function appRoutes(): Routes {
  const front = shell('front', places.map((id) => `<p id="${id}"></p>`).join('\n'), 'front.js');
  const parts = ['ticket', 'stub', 'settings', 'options', 'widget', 'gadget'];
  return {
    'GET /app/': () => html(front),
    ...Object.fromEntries(
      parts.map((part) => [`GET /app/${part}`, () => html(shell(part, '<p id="out"></p>', 'widgets.js'))]),
    ),
    ...scriptRoutes('front.js'),
    ...scriptRoutes('widgets.js'),
  };
}
