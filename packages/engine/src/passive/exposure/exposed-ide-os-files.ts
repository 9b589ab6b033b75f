import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-ide-os-files',
  severity: 'LOW',
  cwe: 538,
  title: 'Files of an editor or of the desktop were deployed with the site',
  why: 'They name files and folders that nothing links to, among them some that nobody was meant to find.',
  fix: 'Delete them on the server, and add them to the ignore file of the repository or of the deployment.',
  references: ['https://cwe.mitre.org/data/definitions/538.html'],
  files: [
    { path: '/.DS_Store', signature: ({ body }) => (body.startsWith('\0\0\0\x01Bud1') ? 'Bud1' : undefined) },
    { path: '/.idea/workspace.xml', signature: /<project version="\d+">/ },
    { path: '/.vscode/settings.json', signature: /"(editor|files|workbench|search|\w+\.format)\.[\w.]+"\s*:/ },
  ],
  examples: [
    { name: 'of macOS', given: { files: { '/.DS_Store': { body: '\0\0\0\x01Bud1\0' } } }, fails: 1 },
    {
      name: 'of IntelliJ',
      given: { files: { '/.idea/workspace.xml': { body: '<?xml?><project version="4">' } } },
      fails: 1,
    },
    { name: 'of VS Code', given: { files: { '/.vscode/settings.json': { body: '{"editor.tabSize": 2}' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another file of that name', given: { files: { '/.DS_Store': { body: 'Bud1' } } }, fails: 0 },
  ],
});
