/** Stack traces with file and line. */
const TRACES = [
  /\bat [^\n<]{0,120}[/\\][\w@./\\-]{1,200}\.[cm]?[jt]sx?:\d{1,6}:\d{1,6}/,
  /File (?:"|&quot;|&#34;|&#39;|')[^"'&\n]{1,200}\.py(?:"|&quot;|&#34;|&#39;|'), line \d{1,6}/,
  /\bat [\w$.]{1,200}\([\w$]{1,100}\.(?:java|kt|scala):\d{1,6}\)/,
  /\bin (?:<b>)?[/\\A-Z][^\s<>]{1,200}\.php(?:<\/b>)? on line (?:<b>)?\d{1,6}/,
  /#\d{1,3} [/\\A-Z][^\s<>()]{1,200}\.php\(\d{1,6}\)/,
  / in [^\n<>]{1,200}\.(?:cs|vb):line \d{1,6}/,
  /[/\\][\w./-]{1,200}\.rb:\d{1,6}:in [`'&]/,
  /goroutine \d{1,6} \[running\]/,
];

export const showsTrace = (text: string) => TRACES.some((pattern) => pattern.test(text));

/** Qualified names of exceptions, as frameworks put them into their error messages. */
const EXCEPTIONS = [
  /(?<![\w./])(?:[a-z]\w{0,60}\.){2,8}[A-Z]\w{0,80}(?:Exception|Error)\b/,
  /(?<![\w./])System\.(?:\w{1,60}\.){0,6}\w{0,80}Exception\b/,
  /(?<![\w./])(?:[A-Z]\w{0,60}::){1,6}\w{0,80}(?:Exception|Error)\b/,
];

export const namesException = (text: string) => EXCEPTIONS.some((pattern) => pattern.test(text));
