import type { ModelsCheck } from '@sortie/server';
import { Command } from 'commander';
import { CommandEnd } from '../../terminal/command-error.ts';
import { fields, shown, toJson } from '../../terminal/text.ts';

export function modelCommand(): Command {
  const model = new Command('model').description('the language models of the planner');
  model
    .command('check')
    .description('try each configured model with one small call')
    .addHelpText(
      'after',
      '\nReads the settings of this shell, as the worker would.\n\nExit codes:\n  0  all models work\n  1  a model does not work',
    )
    .action(async (_options, command: Command) => {
      const { checkModels } = await import('@sortie/server');
      const checked = await checkModels();
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      process.stdout.write(json ? `${toJson(checked)}\n` : checkText(checked));
      if (checked.models.some(({ works }) => !works)) throw new CommandEnd(1);
    });
  return model;
}

function checkText({ pricesAsOf, models }: ModelsCheck): string {
  return models
    .map(({ name, provider, model, depths, isExternal, works, problems, ...used }) => {
      const facts = {
        model: `${name}: ${provider} ${model}`,
        'used for': depths.join(', '),
        'data leaves your network': isExternal ? 'yes' : 'no',
        works: works ? 'yes' : 'no',
        tokens: used.inputTokens === null ? null : `${used.inputTokens} in, ${used.outputTokens} out`,
        cost:
          used.microdollars === null
            ? null
            : `$${(used.microdollars / 1_000_000).toFixed(6)} at prices of ${pricesAsOf}`,
        time: `${used.milliseconds} ms`,
      };
      return fields(facts) + problems.map((problem) => `${shown(problem)}\n`).join('');
    })
    .join('\n');
}
