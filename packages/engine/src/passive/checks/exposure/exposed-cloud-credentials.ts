import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-cloud-credentials',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'Cloud or service credentials exposed',
  why: 'A file with credentials for a cloud account, registry, Git host or server can be downloaded. An attacker who reads it acts there with your permissions: reads data, publishes packages or starts machines. The evidence shows the path and the name of the field, never its value.',
  fix: 'Revoke and replace the credentials now, delete the file from the web root, and block paths that start with a dot. Check the audit log of the service for use of the old credentials.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://docs.aws.amazon.com/cli/v1/userguide/cli-configure-files.html',
    'https://cwe.mitre.org/data/definitions/522.html',
  ],
  files: [
    { path: '/.aws/credentials', signature: /^aws_(access_key_id|secret_access_key)\s*=/m },
    { path: '/.git-credentials', signature: /^https?:\/\/(?=[^\s:@/]+:[^\s@/]+@)/m },
    { path: '/.npmrc', signature: /\b_(authToken|auth|password)\s*=/ },
    { path: '/.docker/config.json', signature: /"auths"\s*:\s*\{/ },
    {
      path: '/.kube/config',
      signature: /^[ \t]*(client-key-data|client-certificate-data|certificate-authority-data):/m,
    },
    { path: '/.vscode/sftp.json', signature: /"(password|privateKeyPath)"\s*:/ },
  ],
  examples: [
    {
      name: 'AWS',
      given: { files: { '/.aws/credentials': { body: '[default]\naws_access_key_id = AKIA\n' } } },
      fails: 1,
    },
    { name: 'Git', given: { files: { '/.git-credentials': { body: 'https://me:pass@git.example\n' } } }, fails: 1 },
    { name: 'npm', given: { files: { '/.npmrc': { body: '//registry.example/:_authToken=x' } } }, fails: 1 },
    { name: 'Docker', given: { files: { '/.docker/config.json': { body: '{ "auths": {} }' } } }, fails: 1 },
    {
      name: 'Kubernetes',
      given: { files: { '/.kube/config': { body: 'users:\n- user:\n    client-key-data: x' } } },
      fails: 1,
    },
    {
      name: 'SFTP extension of VS Code',
      given: { files: { '/.vscode/sftp.json': { body: '{"host": "a", "password": "b"}' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'npm registry without credentials',
      given: { files: { '/.npmrc': { body: 'registry=https://registry.example/' } } },
      fails: 0,
    },
  ],
});
