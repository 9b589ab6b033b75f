import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-cloud-credentials',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'Credentials of other services can be downloaded',
  why: 'These files sign in to clouds, registries and servers. Whoever reads one acts there in your name.',
  fix: 'Delete the file from the folder that is served, refuse paths that begin with a dot, and replace the credentials at once.',
  references: [
    'https://cwe.mitre.org/data/definitions/522.html',
    'https://docs.aws.amazon.com/cli/v1/userguide/cli-configure-files.html',
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
      name: 'an editor',
      given: { files: { '/.vscode/sftp.json': { body: '{"host": "a", "password": "b"}' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a registry without an account',
      given: { files: { '/.npmrc': { body: 'registry=https://registry.example/' } } },
      fails: 0,
    },
  ],
});
