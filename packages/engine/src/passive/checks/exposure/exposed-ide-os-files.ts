import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-ide-os-files',
  severity: 'LOW',
  cwe: 538,
  title: 'IDE or operating system metadata files exposed',
  why: 'Metadata files of an editor or of macOS (.DS_Store, .idea, .vscode) were deployed with the site. They list file and directory names, from which an attacker finds resources that no page links to. The evidence shows the path and the marker in the file.',
  fix: 'Delete the files on the server, and exclude them in .gitignore and in the deployment. Block paths that start with a dot in the web server.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  files: [
    { path: '/.DS_Store', signature: ({ body }) => (body.startsWith('\0\0\0\x01Bud1') ? 'Bud1' : undefined) },
    { path: '/.idea/workspace.xml', signature: /<project version="\d+">/ },
    { path: '/.vscode/settings.json', signature: /"(editor|files|workbench|search|\w+\.format)\.[\w.]+"\s*:/ },
  ],
  examples: [
    { name: 'macOS', given: { files: { '/.DS_Store': { body: '\0\0\0\x01Bud1\0' } } }, fails: 1 },
    {
      name: 'IntelliJ',
      given: { files: { '/.idea/workspace.xml': { body: '<?xml?><project version="4">' } } },
      fails: 1,
    },
    { name: 'VS Code', given: { files: { '/.vscode/settings.json': { body: '{"editor.tabSize": 2}' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated file of that name', given: { files: { '/.DS_Store': { body: 'Bud1' } } }, fails: 0 },
  ],
});
