import type { Exchange } from '../../http/exchange/exchange.ts';

/** Platforms with places that applications rarely link to. */
export type Technology = 'php' | 'java' | 'node' | 'python' | 'dotnet' | 'rails';

interface Signs {
  /** In a line such as "x-powered-by: Express". */
  headers: RegExp;
  cookies: RegExp;
  paths: RegExp;
  body: RegExp;
}

const NEVER = /(?!)/;

const SIGNS: Readonly<Record<Technology, Signs>> = {
  php: {
    headers: /^(?:x-powered-by|server): .*php/i,
    cookies: /^(?:PHPSESSID|laravel_session|ci_session|symfony)$/i,
    paths: /\.(?:php\d?|phtml)$/i,
    body: /\b(?:Fatal error|Warning|Notice)<\/b>: .{0,300} on line <b>/,
  },
  java: {
    headers:
      /^(?:x-powered-by|server): .*(?:servlet|jsp|jetty|tomcat|coyote|undertow|wildfly|jboss)|^x-application-context:/i,
    cookies: /^JSESSIONID$/i,
    paths: /\.(?:jspx?|jsf|do|action)$/i,
    body: /Whitelabel Error Page|Apache Tomcat|"path":"[^"]{0,200}","timestamp"|"timestamp":.{0,200}"path":"/,
  },
  node: {
    // Not from Server: proxies and CDNs call their machines nodes.
    headers: /^x-powered-by: .*(?:express|next\.js|koa|sails|node)/i,
    cookies: /^(?:connect\.sid|koa[.:]sess)$/i,
    paths: NEVER,
    body: /<pre>Cannot GET \/|"message":"Route GET:/,
  },
  python: {
    headers:
      /^(?:server|x-powered-by): .*(?:werkzeug|gunicorn|uvicorn|hypercorn|daphne|waitress|cpython|python|tornado|flask|django)/i,
    cookies: /^csrftoken$/i,
    paths: /\.py$/i,
    body: /csrfmiddlewaretoken|\{"detail":"Not Found"\}|Werkzeug Debugger/,
  },
  dotnet: {
    headers: /^(?:x-powered-by|server): .*(?:asp\.net|kestrel|microsoft-iis)|^x-aspnet(?:mvc)?-version:/i,
    cookies: /^(?:ASP\.NET_SessionId|\.AspNet)/i,
    paths: /\.(?:aspx?|ashx|asmx|axd)$/i,
    body: /__VIEWSTATE|__RequestVerificationToken/,
  },
  rails: {
    // Passenger also serves Python and Node.js.
    headers: /^(?:x-powered-by|server): .*(?:webrick|puma|unicorn)|^x-runtime: \d+\.\d+$/i,
    cookies: NEVER,
    paths: NEVER,
    body: /<meta name="csrf-param" content="authenticity_token"/,
  },
};

const all = Object.keys(SIGNS) as Technology[];
const MOST_CHARACTERS = 100_000;

type Observed = Pick<Exchange, 'request' | 'response'>;

/** Returns the platforms that a response shows by its headers, the names of its cookies, its path or its body. */
export function technologiesOf(exchange: Observed): Technology[] {
  const body = exchange.response?.body.subarray(0, MOST_CHARACTERS).toString() ?? '';
  const sure = platformsOf(exchange);
  return all.filter((technology) => sure.includes(technology) || SIGNS[technology].body.test(body));
}

/** Returns the platforms that a response shows without its body, which may be a text about other applications. */
export function platformsOf({ request, response }: Observed): Technology[] {
  if (!response) return [];
  const lines = response.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  const cookies = lines.flatMap((line) => /^set-cookie: ([^=;\s]+)=/.exec(line)?.[1] ?? []);
  const { pathname } = new URL(request.url);
  // A path that does not exist tells nothing by its extension.
  const isThere = response.status < 400;
  return all.filter((technology) => {
    const signs = SIGNS[technology];
    return (
      lines.some((line) => signs.headers.test(line)) ||
      cookies.some((name) => signs.cookies.test(name)) ||
      (isThere && signs.paths.test(pathname))
    );
  });
}
