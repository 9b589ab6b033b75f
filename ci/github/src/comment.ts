import { COMMENT_MARKER, type Report, renderComment } from '../../../packages/report/src/index.ts';
import type { Facts } from './facts.ts';
import type { Inputs } from './inputs.ts';

interface Comment {
  id: number;
  body?: string;
}

const MOST_PAGES = 10;
const PAGE_SIZE = 100;

function createGithub({ githubToken }: Inputs, { apiUrl, repository }: Facts) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${apiUrl}/repos/${repository}/issues/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${githubToken}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'sortie',
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path}`);
    return response.json();
  };
}

/** Creates the comment of the pull request, or updates the existing one: there is at most one. */
export async function writeComment(report: Report, inputs: Inputs, facts: Facts): Promise<void> {
  const isWanted =
    inputs.comment === 'always' || (inputs.comment === 'on-failure' && report.verdict?.outcome !== 'passed');
  if (!isWanted || !facts.pullRequest) return;
  const github = createGithub(inputs, facts);
  const body = renderComment(report);
  const { number } = facts.pullRequest;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const comments = (await github('GET', `${number}/comments?per_page=${PAGE_SIZE}&page=${page}`)) as Comment[];
    const own = comments.find((each) => each.body?.startsWith(COMMENT_MARKER));
    if (own) return void (await github('PATCH', `comments/${own.id}`, { body }));
    if (comments.length < PAGE_SIZE) break;
  }
  await github('POST', `${number}/comments`, { body });
}
