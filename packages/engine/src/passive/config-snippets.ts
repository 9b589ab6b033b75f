/** The change that a remediation asks for, from which `linesFor` generates configuration snippets. */
export type Recipe =
  | { header: readonly [name: string, value: string] }
  /** Path pattern to block, as a regular expression that nginx and Apache both accept. */
  | { hide: string }
  | { set: Setting };

type Setting = 'redirect to https' | 'TLS versions' | 'TLS suites' | 'no version' | 'no X-Powered-By' | 'no listing';

const programs = {
  nginx: /nginx|openresty/i,
  Apache: /apache/i,
  IIS: /microsoft-iis/i,
  Caddy: /caddy/i,
  Express: /^express/i,
  PHP: /php/i,
} as const;
type Program = keyof typeof programs;

const settings: Record<Setting, Partial<Record<Program, string>>> = {
  'redirect to https': {
    nginx: 'server { listen 80; return 301 https://$host$request_uri; }',
    Apache: 'Redirect permanent / https://your-host/ (in the virtual host for port 80)',
    IIS: 'URL Rewrite rule: if {HTTPS} is off, redirect permanently to https://{HTTP_HOST}{REQUEST_URI}',
    Caddy: 'write the site address without http://; Caddy then redirects automatically',
  },
  'TLS versions': {
    nginx: 'ssl_protocols TLSv1.2 TLSv1.3;',
    Apache: 'SSLProtocol -all +TLSv1.2 +TLSv1.3',
    IIS: 'disable older protocols under SCHANNEL\\Protocols in the registry',
    Caddy: 'tls { protocols tls1.2 tls1.3 }',
  },
  'TLS suites': {
    nginx: 'ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;',
    Apache: 'SSLCipherSuite ECDHE+AESGCM:ECDHE+CHACHA20',
    IIS: 'run Disable-TlsCipherSuite in PowerShell for every suite other than ECDHE with GCM',
    Caddy: 'remove the "ciphers" directive; the defaults are secure',
  },
  'no version': {
    nginx: 'server_tokens off;',
    Apache: 'ServerTokens Prod',
    IIS: '<requestFiltering removeServerHeader="true" /> in web.config',
    PHP: 'expose_php = Off in php.ini',
  },
  'no X-Powered-By': {
    Express: "app.disable('x-powered-by')",
    PHP: 'expose_php = Off in php.ini',
    IIS: '<customHeaders><remove name="X-Powered-By" /></customHeaders> in web.config',
    nginx: 'proxy_hide_header X-Powered-By;',
    Apache: 'Header always unset X-Powered-By',
  },
  'no listing': {
    nginx: 'autoindex off;',
    Apache: 'Options -Indexes',
    IIS: '<directoryBrowse enabled="false" /> in web.config',
    Caddy: 'remove "browse" from file_server',
  },
};

function lineOf(recipe: Recipe, program: Program): string | undefined {
  if ('set' in recipe) return settings[recipe.set][program];
  if ('hide' in recipe) {
    const lines: Partial<Record<Program, string>> = {
      nginx: `location ~ ${recipe.hide} { return 404; }`,
      Apache: `RedirectMatch 404 ${recipe.hide}`,
    };
    return lines[program];
  }
  const [name, value] = recipe.header;
  const lines: Record<Program, string> = {
    nginx: `add_header ${name} "${value}" always;`,
    Apache: `Header always set ${name} "${value}"`,
    IIS: `<customHeaders><add name="${name}" value="${value}" /></customHeaders> in web.config`,
    Caddy: `header ${name} "${value}"`,
    Express: `res.setHeader('${name}', ${JSON.stringify(value)})`,
    PHP: `header(${JSON.stringify(`${name}: ${value}`)});`,
  };
  return lines[program];
}

/** Returns one snippet per product that the Server and X-Powered-By headers name; empty if they name none we know. */
export function linesFor(recipe: Recipe, headers: (name: string) => readonly string[]): string[] {
  const banners = [...headers('server'), ...headers('x-powered-by')];
  const detected = (Object.keys(programs) as Program[]).filter((program) =>
    banners.some((text) => programs[program].test(text)),
  );
  return detected.flatMap((program) => {
    const line = lineOf(recipe, program);
    return line === undefined ? [] : [`${program}: ${line}`];
  });
}
