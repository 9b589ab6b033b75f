import type { Exchange } from '../../http/exchange/exchange.ts';
import { platformsOf, type Technology } from './technologies.ts';

/** Frameworks, servers, databases and platforms, with the names that texts for people use. */
export const STACK = {
  express: 'Express',
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
  spring: 'Spring',
  laravel: 'Laravel',
  rails: 'Rails',
  aspnet: 'ASP.NET Core',
  go: 'Go',
  node: 'Node.js',
  python: 'Python',
  java: 'Java',
  php: 'PHP',
  dotnet: '.NET',
  react: 'React',
  angular: 'Angular',
  vue: 'Vue',
  nginx: 'nginx',
  apache: 'Apache',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  sqlite: 'SQLite',
  mssql: 'SQL Server',
  mongodb: 'MongoDB',
} as const;
export type StackName = keyof typeof STACK;

interface Signs {
  /** In a line "name: value" of a header; cookies are in set-cookie lines. */
  lines?: RegExp;
  /** Markup, or the beginning of a document. An article that quotes it encodes it, or begins differently. */
  markup?: RegExp;
  /** Text of error responses only, because articles and forums quote it too. */
  error?: RegExp;
}

/** Signs that only this component gives. */
const SIGNS: Readonly<Partial<Record<StackName, Signs>>> = {
  express: { lines: /^x-powered-by: express\b|^set-cookie: connect\.sid=/i },
  django: {
    lines: /^set-cookie: csrftoken=/i,
    markup: /<input[^>]{1,100}name=["']csrfmiddlewaretoken["']/,
    error: /in your Django settings file/,
  },
  flask: { lines: /^(?:server|x-powered-by): .*flask/i, error: /Werkzeug Debugger|File "[^"\n]{1,300}[\\/]flask[\\/]/ },
  fastapi: { error: /"detail":\[\{"(?:type|loc)":.{0,300}"msg":|File "[^"\n]{1,300}[\\/](?:fastapi|starlette)[\\/]/ },
  spring: {
    lines: /^x-application-context:/i,
    markup: /^<html><body><h1>Whitelabel Error Page<\/h1>/,
    error: /"timestamp":[^,]{1,60},"status":\d{3},"error":"[^"]{1,60}",.{0,300}"path":"|\borg\.springframework\./,
  },
  laravel: { lines: /^set-cookie: laravel_session=/i, error: /window\.ignite\(|\bIlluminate\\[A-Z]/ },
  aspnet: { lines: /^server: kestrel|^set-cookie: \.AspNetCore\./i, error: /\bMicrosoft\.AspNetCore\./ },
  go: { error: /^404 page not found\n$|\bgoroutine \d+ \[running\]:/ },
  node: {
    markup:
      /^<!DOCTYPE html>\s<html lang="en">\s<head>\s<meta charset="utf-8">\s<title>Error<\/title>\s<\/head>\s<body>\s<pre>Cannot [A-Z]{3,7} \//,
    error: /\bat (?:\S{1,200} )?\(?(?:file:\/\/)?\/[^\s()]{1,300}\.[cm]?[jt]s:\d+:\d+|"message":"Route [A-Z]{3,7}:\//,
  },
  python: { error: /Traceback \(most recent call last\):/ },
  java: { error: /\bat [\w$.]{1,200}\([A-Z]\w{0,100}\.java:\d+\)/ },
  php: {
    error: /\bStack trace:\n#0 \S{1,300}\.php\(\d+\)|\b(?:Fatal error|Warning|Notice)<\/b>: .{0,300} on line <b>/,
  },
  rails: {
    markup: /<meta name="csrf-param" content="authenticity_token"/,
    error: /\bActionController::|\bActiveRecord::/,
  },
  dotnet: {
    markup: /<input[^>]{1,100}name="__(?:VIEWSTATE|RequestVerificationToken)"/,
    error: /\bat [\w.<>]{1,200}\(.{0,300}\) in \S{1,300}\.cs:line \d+/,
  },
  react: { markup: /\bdata-reactroot\b|<script[^>]{1,300}\breact-dom\b/ },
  angular: { markup: /\bng-version="\d/ },
  vue: {
    markup: /\bdata-v-app\b|\bdata-server-rendered="true"|<script[^>]{1,300}\bvue(?:\.global)?(?:\.prod|\.min)?\.js/,
  },
  nginx: { lines: /^server: nginx/i },
  apache: { lines: /^server: apache(?:\/|$)/i },
  postgresql: { error: /\bPSQLException\b|\bpsycopg2?\.|\bpg_query\(|\bsyntax error at or near "/ },
  mysql: { error: /You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB)/ },
  sqlite: {
    error:
      /\bSQLITE_ERROR\b|\bsqlite3\.OperationalError\b|\bSQLite3::|\bSQLite error\b|"near \\?"[^"]{0,50}": syntax error/,
  },
  mssql: { error: /\bSqlException\b|Unclosed quotation mark after the character string/ },
  mongodb: { error: /\bMongo(?:Server)?Error\b|\bBSONError\b|\bMongoDB\\Driver\\/ },
};

const PLATFORMS: Readonly<Record<Technology, StackName>> = {
  php: 'php',
  java: 'java',
  node: 'node',
  python: 'python',
  dotnet: 'dotnet',
  rails: 'rails',
};

const names = Object.keys(STACK) as StackName[];
const MOST_CHARACTERS = 100_000;

/** A page with an error status below 500 may still be an article or a search for something. */
function isError(status: number, lines: readonly string[], body: string): boolean {
  const isHtml = lines.some((line) => /^content-type: .*html/i.test(line)) || /^\s*</.test(body);
  return status >= 500 || (status >= 400 && !isHtml);
}

/** Returns the components that a response shows. Nothing is requested for it. */
export function stackOf(exchange: Pick<Exchange, 'request' | 'response'>): StackName[] {
  const { response } = exchange;
  if (!response) return [];
  const lines = response.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  const body = response.body.subarray(0, MOST_CHARACTERS).toString();
  const text = isError(response.status, lines, body) ? body : '';
  const platforms = platformsOf(exchange).map((each) => PLATFORMS[each]);
  return names.filter((name) => {
    const signs = SIGNS[name] ?? {};
    const isInBody = signs.markup?.test(body) || signs.error?.test(text);
    return platforms.includes(name) || lines.some((line) => signs.lines?.test(line)) || isInBody;
  });
}

const DATABASES: readonly string[] = ['postgresql', 'mysql', 'sqlite', 'mssql', 'mongodb'] satisfies StackName[];
const isDatabase = (name: unknown): name is StackName => DATABASES.includes(String(name));

/** Functions that one database has, for payloads that it has executed. */
const FUNCTIONS: readonly (readonly [RegExp, StackName])[] = [
  [/\bpg_sleep\(/i, 'postgresql'],
  [/\bWAITFOR DELAY\b/i, 'mssql'],
  [/\bSLEEP\(/, 'mysql'],
];

/** Returns the database that a proof has determined: by the variant that it names, or by a payload that it executed. */
export function databasesIn(variant: unknown, payloads: readonly string[]): StackName[] {
  const database = typeof variant === 'object' && variant !== null && 'database' in variant ? variant.database : null;
  const named = [database === 'sqlServer' ? 'mssql' : database];
  const executed = FUNCTIONS.flatMap(([pattern, name]) => (payloads.some((text) => pattern.test(text)) ? [name] : []));
  return [...new Set([...named.filter(isDatabase), ...executed])];
}

/** Adds what a proof has shown. Its database replaces others; several without a proof tell nothing about this flaw. */
export function withProved(known: readonly StackName[], proved: readonly StackName[]): StackName[] {
  const databases = proved.some(isDatabase) ? proved.filter(isDatabase) : known.filter(isDatabase);
  const others = [...known, ...proved].filter((name) => !isDatabase(name));
  return [...new Set([...others, ...(new Set(databases).size === 1 ? databases : [])])];
}
