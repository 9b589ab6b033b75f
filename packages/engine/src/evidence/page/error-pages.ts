/** Error messages and stack traces, by language. */
const traces: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['Python', /Traceback \(most recent call last\):/],
  [
    'PHP',
    /(?:Fatal error|Parse error|Warning|Notice|Deprecated)(?:<\/b>)?\s?:\s[^\n]{1,300} in (?:<b>)?[^\s<]{1,200}\.(?:php|inc|phtml)(?:<\/b>)? on line /,
  ],
  ['PHP', /PHP (?:Fatal error|Parse error|Warning|Notice):\s/],
  ['Java', /\bat [\w$.]{3,200}\([A-Za-z0-9_$]{1,80}\.(?:java|kt|scala):\d{1,6}\)/],
  ['.NET', /\bat (?:System|Microsoft)\.[\w.`]{3,200}\(|Server Error in '[^'\n]{0,100}' Application/],
  ['Node.js', /\bat (?:[\w.<>$ [\]]{1,100} \()?(?:node:|file:\/\/\/|\/|[A-Z]:\\)[^()\s<>]{1,200}:\d{1,6}:\d{1,6}/],
  ['Ruby', /\b\w{1,60}\.rb:\d{1,6}:in [`'‘]/],
  ['Go', /goroutine \d{1,9} \[running\]:/],
  ['Oracle', /\bORA-\d{5}: /],
  [
    'SQL',
    /SQLSTATE\[[0-9A-Z]{5}\]|Microsoft OLE DB Provider for |Incorrect syntax near (?:the keyword )?['"‘]|You have an error in your SQL syntax;|Unclosed quotation mark after the character string/,
  ],
  ['PostgreSQL', /\bPG::[A-Z]\w{2,40}\b|ERROR:\s{1,2}syntax error at or near "/],
];

const debuggers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Django', /You(?:'|&#x27;|&#39;|’)re seeing this error because you have <code>DEBUG = True<\/code>/],
  [
    'Werkzeug',
    /<title>[^<]{0,200}\/\/ Werkzeug Debugger<\/title>|The debugger caught an exception in your WSGI application/,
  ],
  ['Laravel', /<div class="Whoops container">|window\.ignite\(|Illuminate\\[\w\\]{1,80}Exception[^\n]{0,200}ignition/i],
  ['Symfony', /<h1>Symfony Exception<\/h1>|>\s*Symfony Exception\s*<|class="exception-summary/],
  ['Rails', /<title>Action Controller: Exception caught<\/title>|Rails\.root: \//],
  ['Phoenix', /<title>[^<]{0,200}NoRouteError at GET /],
];

const firstOf = (patterns: typeof traces, text: string) => {
  const found = patterns.find(([, pattern]) => pattern.test(text));
  return found && { from: found[0], shown: found[1].exec(text)?.[0] ?? '' };
};

export const traceIn = (text: string) => firstOf(traces, text);

export const debuggerIn = (text: string) => firstOf(debuggers, text);
