import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { LabAnswer } from '../lab.ts';

type Row = Record<string, unknown>;

/**
 * Opens a real database of teas for labs. `answer` formats the rows; `isTalkative` decides whether error messages are
 * shown.
 */
export function openTeaShop(answer: (rows: Row[]) => LabAnswer, isTalkative = false) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  let seconds = 0;
  database.function('pg_sleep', (told) => {
    seconds += Number(told);
    return '';
  });
  database.exec(`
    create table tea (id integer, kind text, name text, price integer);
    insert into tea values (7, 'green', 'Sencha', 9), (8, 'black', 'Assam', 8), (9, 'oolong', 'Tieguanyin', 14);
    create table person (name text, password text);
    insert into person values ('alice', '7n2k'), ('bob', 'x81m')`);
  return (sql: string, ...values: string[]): LabAnswer => {
    seconds = 0;
    try {
      const rows = database.prepare(sql).all(...values);
      return { ...answer(rows), seconds };
    } catch (error) {
      return { status: 500, body: `Something went wrong. ${isTalkative ? (error as Error).message : ''}`, seconds };
    }
  };
}

/** Returns a page with the names of the rows. */
export const asPage = (rows: readonly Row[]): LabAnswer => ({
  headers: { 'content-type': 'text/html' },
  body: `<h1>Tea</h1><ul>${rows.map(({ name }) => `<li>${name} is a fine tea</li>`).join('')}</ul>`,
});

export const asJson = (rows: readonly Row[]): LabAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(rows),
});

/** A login form of the labs, as the inventory holds it. */
export const loginForm: InventoryItem = {
  method: 'POST',
  url: '/login',
  parameters: [
    { location: 'form', name: 'user', value: 'x' },
    { location: 'form', name: 'password', value: 'x' },
  ],
  seenAs: null,
  contentType: 'text/html',
};

export const fieldsIn = (body: string) => Object.fromEntries(new URLSearchParams(body)) as Record<string, string>;
