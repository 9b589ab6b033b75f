/** Spellings that a guard and a router may read differently. */
export const PATH_SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'trailing slash': (path) => `${path}/`,
  'trailing dot': (path) => `${path}/.`,
  'double slash': (path) => `/${path}`,
  'dot segment': (path) => `/.${path}`,
  'path parameter': (path) => `${path};x`,
  'path parameter in a folder': (path) => path.replace(/(?<=[^/])\/([^/]*)$/, ';/$1'),
  'encoded letter': (path) => path.replace(/[a-z](?=[^/]*$)/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'upper case': (path) => path.replace(/[^/]*$/, (name) => name.toUpperCase()),
  'encoded space': (path) => `${path}%20`,
  'file extension': (path) => `${path}.json`,
};
