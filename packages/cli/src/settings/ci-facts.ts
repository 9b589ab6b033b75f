/** Properties that stay the same when a CI job is rerun. */
export interface CiFacts {
  provider: string;
  repository: string;
  workflow: string;
  commit: string;
}

/** The variables of each CI system, in the order of CiFacts. */
const providers = {
  github: ['GITHUB_REPOSITORY', 'GITHUB_WORKFLOW', 'GITHUB_SHA'],
  gitlab: ['CI_PROJECT_PATH', 'CI_JOB_NAME', 'CI_COMMIT_SHA'],
  azure: ['BUILD_REPOSITORY_NAME', 'BUILD_DEFINITIONNAME', 'BUILD_SOURCEVERSION'],
  circleci: ['CIRCLE_REPOSITORY_URL', 'CIRCLE_JOB', 'CIRCLE_SHA1'],
  bitbucket: ['BITBUCKET_REPO_FULL_NAME', 'BITBUCKET_PIPELINE_UUID', 'BITBUCKET_COMMIT'],
  buildkite: ['BUILDKITE_REPO', 'BUILDKITE_PIPELINE_SLUG', 'BUILDKITE_COMMIT'],
  jenkins: ['GIT_URL', 'JOB_NAME', 'GIT_COMMIT'],
} as const;

/** Returns undefined outside of CI, or if the CI system does not state the commit. */
export function readCiFacts(variables: NodeJS.ProcessEnv): CiFacts | undefined {
  for (const [provider, names] of Object.entries(providers)) {
    const [repository, workflow, commit] = names.map((name) => variables[name]);
    if (repository && workflow && commit) return { provider, repository, workflow, commit };
  }
  return undefined;
}
