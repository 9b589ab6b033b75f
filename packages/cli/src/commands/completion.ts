import { Command } from 'commander';
import { usageError } from '../terminal/command-error.ts';

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `loadAll` resolves to the tree of all commands. */
export const completionCommand = (loadAll: () => Promise<Command>): Command =>
  new Command('completion')
    .description('print a shell completion script')
    .argument('<shell>', Object.keys(shells).join(', '))
    .addHelpText(
      'after',
      '\nbash: source <(npx sortie completion bash)\nzsh:  source <(npx sortie completion zsh)\nfish: npx sortie completion fish | source',
    )
    .action(async (name: string) => {
      const script = Object.entries(shells).find(([shell]) => shell === name)?.[1];
      if (!script) throw usageError(`The shell must be one of: ${Object.keys(shells).join(', ')}`);
      process.stdout.write(script(placesOf(await loadAll(), [])));
    });

/** A position in the command tree, and the words that may follow it. */
interface Position {
  path: readonly string[];
  words: readonly string[];
}

function placesOf(command: Command, path: readonly string[]): Position[] {
  const flags = command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
  const words = [...command.commands.map((child) => child.name()), ...flags, '--help'];
  return [{ path, words }, ...command.commands.flatMap((child) => placesOf(child, [...path, child.name()]))];
}

/** Sorted deepest first, because the first matching pattern wins. */
function bashScript(places: readonly Position[]): string {
  const deepestFirst = places.toSorted((one, other) => other.path.length - one.path.length);
  const cases = deepestFirst.map(({ path, words }) => {
    const pattern = path.map((name) => ` ${name}`).join('');
    return `    "${pattern} "*) words="${words.join(' ')}" ;;`;
  });
  return `# sortie: completion of commands and options
_sortie() {
  local word place="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) place="$place $word" ;; esac
  done
  case "$place " in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sortie sortie
`;
}

/** zsh runs the bash script through bashcompinit. */
function zshScript(places: readonly Position[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`;
}

function fishScript(places: readonly Position[]): string {
  const lines = places.map(({ path, words }) => {
    const commands = words.filter((word) => !word.startsWith('-')).join(' ');
    const isHere =
      path.length === 0
        ? '__fish_use_subcommand'
        : path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    const flags = words.filter((word) => word.startsWith('--')).map((word) => `-l ${word.slice(2)}`);
    return [
      ...(commands === '' ? [] : [`complete -c sortie -n '${isHere}' -a '${commands}'`]),
      ...flags.map((flag) => `complete -c sortie -n '${isHere}' ${flag}`),
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}
