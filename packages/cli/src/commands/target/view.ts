import type { Target } from '@sortie/sdk';
import type { Command } from 'commander';
import { apiCommand, withShell } from '../../api/api-command.ts';
import type { ApiOptions, Shell } from '../../api/command-context.ts';
import { openScreen } from '../../api/open-screen.ts';
import { fields } from '../../terminal/text.ts';
import { coverageText, verifiedText } from './target-text.ts';

interface ViewOptions extends ApiOptions {
  web?: boolean;
}

export const viewCommand = (): Command =>
  apiCommand('view', 'show what a verification covers, and the rules of engagement of its target')
    .argument('<verification>', 'verification id of the target')
    .option('--web', 'print the address of the target in the dashboard, and open it')
    .action((id: string, options: ViewOptions) =>
      withShell(options, `Target ${id} could not be read`, async (shell) => {
        const { data } = await (await shell.client()).targets.get(id);
        if (options.web) return openScreen(shell, `targets/${data.verificationId}`);
        shell.print({ schema: 'sortie.target/1', ...data }, () => targetText(data, shell));
      }),
    );

function targetText(target: Target, { showTime }: Shell): string {
  const { verificationId, origin, method, apiRuns, rules, createdAt } = target;
  const { excludedPaths, requestsPerSecond, window } = rules;
  return fields({
    Verification: verificationId,
    Target: origin,
    Covers: coverageText(target),
    Method: method,
    Verified: verifiedText(target, showTime),
    'API runs': apiRuns
      ? 'on'
      : 'off; an owner or admin turns them on in the dashboard, on the page of the target (add --web to this command)',
    'Excluded paths': excludedPaths.join(', ') || 'none',
    Rate: requestsPerSecond === null ? 'engine default' : `at most ${requestsPerSecond} requests per second`,
    Window: window === null ? 'always' : `${window.from} to ${window.to} UTC`,
    Created: showTime(createdAt),
  });
}
