import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import type { RulePlanStep } from '../../contract/environments.ts';
import { dataDirOption } from '../data-dir.ts';
import { readInput } from '../input-file.ts';
import { cliActor, projectNamed, withPeople } from '../open-people.ts';
import { print, printJson, remark } from '../print.ts';

const verbs: Readonly<Record<RulePlanStep['action'], string>> = {
  protect: '+ protect',
  change: '~ change',
  unprotect: '- unprotect',
  keep: '  keep',
};

/** `gatehouse rules`: protection rules as a file that can live in git. */
export function rulesCommand(): Command {
  return new Command('rules')
    .description('keep the protection rules of a project in a file')
    .addCommand(exportCommand())
    .addCommand(applyCommand());
}

function exportCommand(): Command {
  return new Command('export')
    .description('write the rules of a project as YAML')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('[file]', 'where to; standard output if left out')
    .addOption(dataDirOption())
    .action((project: string, file: string | undefined, options: { dataDir: string }) =>
      withPeople(options.dataDir, (people) => {
        const text = people.environments.ruleFiles.export(projectNamed(people, project).id);
        if (file === undefined) process.stdout.write(text);
        else writeFileSync(file, text);
      }),
    );
}

function applyCommand(): Command {
  return new Command('apply')
    .description(
      'make the rules of a project what a file says; environments that it does not name lose their protection',
    )
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('<file>', 'YAML as `gatehouse rules export` writes it; - for standard input')
    .addOption(dataDirOption())
    .option('--dry-run', 'only say what would change', false)
    .option('--json', 'print the plan as JSON', false)
    .action((project: string, file: string, options: { dataDir: string; dryRun: boolean; json: boolean }) =>
      withPeople(options.dataDir, async (people) => {
        const text = readInput(file);
        const { id } = projectNamed(people, project);
        const { steps } = await people.environments.ruleFiles.apply(cliActor, id, text, options);
        if (options.json) printJson(steps);
        else printPlan(steps);
        const changes = steps.filter((step) => step.action !== 'keep').length;
        if (changes === 0) remark('Nothing to change.');
        else
          remark(
            `${changes} ${changes === 1 ? 'environment' : 'environments'} ${options.dryRun ? 'would change' : 'changed'}.`,
          );
      }),
    );
}

function printPlan(steps: readonly RulePlanStep[]): void {
  for (const { action, environment, add, remove } of steps) {
    print(`${verbs[action]} ${environment}`);
    for (const rule of remove) print(`    - ${rule}`);
    for (const rule of add) print(`    + ${rule}`);
  }
}
