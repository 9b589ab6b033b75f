import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { isGiven, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck, type Known } from '../../define-active-check.ts';
import type { Nonce, Observation } from '../../experiment.ts';
import type { LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { freeTexts, requestWithAll } from '../../shared/stored-marks.ts';

interface Variant {
  parameter: Parameter;
  table: InventoryItem;
}

const MOST_TABLES = 3;
const MOST_FIELDS = 3;

/** Tables that a spreadsheet opens. */
const isTable = (item: InventoryItem) =>
  item.method === 'GET' &&
  readsOnly(item) &&
  (/csv|tab-separated/i.test(item.contentType) || /\.(?:csv|tsv)$/i.test(new URL(item.url).pathname));

const tablesNear = ({ url }: InventoryItem, { inventory }: Known) => {
  const { origin } = new URL(url);
  return inventory.filter((item) => item.url.startsWith(`${origin}/`) && isTable(item)).slice(0, MOST_TABLES);
};

/** Multiplies two numbers in a spreadsheet, and says nothing elsewhere. */
const formulaOf = ({ numbers: [a, b] }: Pick<Nonce, 'numbers'>, position = 0) => `=${a}*${b + position}`;

/** Returns whether a cell of the table begins with the formula, with or without quotes around the cell. */
function hasFormula(exchange: Pick<Observation, 'response'>, formula: string): boolean {
  const type = headerOf(exchange.response?.headers ?? [], 'content-type') ?? '';
  if (!exchange.response || !isGiven(exchange.response) || /html|json/i.test(type)) return false;
  return textOf(exchange)
    .split(/[,;\t\r\n]/)
    .some((cell) => cell.trim().replace(/^"/, '').startsWith(formula));
}

async function variantsFor(item: InventoryItem, nonce: Nonce, asking: Asking): Promise<Variant[]> {
  const fields = freeTexts(item).slice(0, MOST_FIELDS);
  const values = fields.map((each, position) => [each, formulaOf(nonce, position)] as const);
  const change = await asking.willChange([]);
  const answer = await asking.ask(requestWithAll(item, values));
  if ((answer.response?.status ?? 500) >= 400) {
    change.forget();
    return [];
  }
  for (const table of tablesNear(item, asking.known)) {
    const shown = await asking.ask(requestOf(table));
    const index = values.findIndex(([, formula]) => hasFormula(shown, formula));
    const parameter = fields[index];
    if (parameter) return [{ parameter, table }];
  }
  return [];
}

export default defineRequestCheck({
  id: 'csv-injection',
  title: 'CSV injection: exported tables contain formulas of users',
  cwe: 1236,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  impact:
    'An attacker stores a formula that runs in the spreadsheet of a colleague who opens the export, and sends its data away.',
  why: 'The export writes stored values into a table without neutralizing formulas. An attacker stores a value that begins with an equals sign; when a colleague of theirs or an administrator opens the export, the spreadsheet evaluates it, which can send other cells to a server or start programs. A stored multiplication was the content of a cell in the export, and it was not there before.',
  fix: 'Begin each cell that starts with =, +, -, @, a tab or a line break with a single quote, and put it into double quotes. Prefer a format with typed cells, such as XLSX.',
  references: [
    'https://owasp.org/www-community/attacks/CSV_Injection',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/README',
    'https://cwe.mitre.org/data/definitions/1236.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item, known) =>
    (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'changes' &&
    item.operation === undefined &&
    freeTexts(item).length > 0 &&
    tablesNear(item, known).length > 0,
  variants: [] as Variant[],
  probe: variantsFor,
  maxRequests: 16,
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan: (item, { parameter, table }, nonce) => ({
      before: { label: 'the export before', request: requestOf(table), isControl: true },
      written: {
        label: 'a value that is a formula',
        request: requestWithAll(item, [[parameter, formulaOf(nonce)]]),
        change: { leavesTraces: true },
      },
      shown: {
        label: 'the export afterwards',
        request: requestOf(table),
        answer: { isDecisive: true },
        shows: 'a cell with the formula, neither quoted nor changed',
      },
    }),
    judge({ before, written, shown }, _variant, nonce) {
      const formula = formulaOf(nonce);
      // A table in the response to the write repeats what was sent, whether or not it was stored.
      const isClean = !hasFormula(before, formula) && !hasFormula(written, formula);
      return isClean && hasFormula(shown, formula) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const csv = (cellOf: (text: string) => string) => {
      const rows: string[] = [];
      return ({ method, body }: LabRequest) => {
        if (method === 'GET')
          return { headers: { 'content-type': 'text/csv' }, body: ['number,remark', ...rows].join('\r\n') };
        const remark = new URLSearchParams(body).get('remark') ?? '';
        rows.push(`${rows.length + 1},"${cellOf(remark).replaceAll('"', '""')}"`);
        return { status: 303, headers: { location: 'remarks' } };
      };
    };
    return {
      item: {
        method: 'POST',
        url: '/remarks',
        parameters: [{ location: 'form', name: 'remark', value: 'Lovely' }],
        seenAs: 'alice',
        contentType: 'text/html',
        effect: 'changes',
      },
      others: [{ method: 'GET', url: '/remarks.csv', parameters: [], seenAs: 'alice', contentType: 'text/csv' }],
      vulnerable: csv((text) => text),
      safe: csv((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)),
    };
  },
});
