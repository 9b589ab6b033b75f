import { html, type Routes, text, type Visit } from '../answer.ts';
import { page } from '../page.ts';

/** Forgotten files. All of their content is made up. */

const SETTINGS = 'APP_ENV=production\nDB_PASSWORD=made-up-password-of-the-range\nMAIL_KEY=made-up-mail-key\n';
const DUMP = `-- SQL dump of the shop
CREATE TABLE customer (name text, password text);
INSERT INTO customer VALUES ('heidi', '5f4dcc3b5aa765d61d8327deb882cf99');
`;
const SOURCE = `<?php
$connection = mysqli_connect('localhost', 'shop', 'made-up-password-of-the-range');
$name = $_POST['username'];
?>
`;

const PRICES = ['prices-2024.csv', 'prices-2025.csv'];

function listing(): string {
  const rows = PRICES.map((name) => `<a href="/prices/${name}">${name}</a>  2025-01-01 10:00  1.2K`);
  return `<html><head><title>Index of /prices/</title></head><body><h1>Index of /prices/</h1><pre><a href="../">../</a>
${rows.join('\n')}</pre></body></html>`;
}

/** The safe twin of an exposed file: it exists, but access is denied. */
const closed = (visit: Visit) => html(page(visit, { title: 'Closed', content: '<p>Not for you.</p>' }), 403);

export function leftBehindRoutes(): Routes {
  return {
    'GET /.git/HEAD': () => text('ref: refs/heads/main\n'),
    'GET /.git/config': () =>
      text('[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = git@git.example:range.git\n'),
    'GET /.env': () => text(SETTINGS),
    'GET /backup.sql': () => text(DUMP),
    'GET /login.php~': () => text(SOURCE),
    'GET /prices/': () => html(listing()),
    'GET /prices/{id}': (visit) => (PRICES.includes(visit.id) ? text('product,price\nKettle,25\n') : closed(visit)),
    'GET /.svn/entries': closed,
    'GET /.env.local': closed,
    'GET /dump.sql': closed,
    'GET /orders.php~': closed,
    'GET /offers-archive/': closed,
    'GET /offers-archive/{id}': (visit) =>
      PRICES.includes(visit.id) ? text('product,offer\nKettle,20\n') : closed(visit),
  };
}
