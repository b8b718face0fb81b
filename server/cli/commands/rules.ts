import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import type { GuardPlanStep, RulePlanStep } from '../../contract/environments.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, printText, readInput, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

const verbs: Readonly<Record<RulePlanStep['action'], string>> = {
  protect: '+ protect',
  change: '~ change',
  unprotect: '- unprotect',
  keep: '  keep',
};

/** `gatehouse rules`: protection rules as a file that can live in git. */
export function rulesCommand(): Command {
  return new Command('rules')
    .description('export and apply the protection rules of a project as a file')
    .addCommand(exportCommand())
    .addCommand(applyCommand());
}

function exportCommand(): Command {
  return new Command('export')
    .description('write the rules as YAML')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('[file]', 'file to write; default: standard output')
    .addOption(dataDirOption())
    .action((project: string, file: string | undefined, options: { dataDir: string }) =>
      withRegistry(options, async (registry) => {
        const projectId = (await registry.project(project)).id;
        const { yaml } = await registry.call('environments.exportRules', { projectId });
        if (file === undefined) printText(yaml);
        else writeFileSync(file, yaml);
      }),
    );
}

function applyCommand(): Command {
  return new Command('apply')
    .description('make the rules of a project match a file; environments that it does not name become unprotected')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('<file>', 'YAML as `gatehouse rules export` writes it; - for standard input')
    .addOption(dataDirOption())
    .option('--dry-run', 'print the plan, change nothing', false)
    .option('--json', 'print JSON', false)
    .action((project: string, file: string, options: { dataDir: string; dryRun: boolean; json: boolean }) =>
      withRegistry(options, async (registry) => {
        const yaml = readInput(file);
        const projectId = (await registry.project(project)).id;
        const { dryRun } = options;
        const { steps, guards } = await registry.call('environments.applyRules', { projectId, yaml, dryRun });
        if (options.json) printJson([...steps, ...guards]);
        else {
          printPlan(steps);
          for (const step of guards) printGuardStep(step);
        }
        const changes = steps.filter((step) => step.action !== 'keep').length;
        if (guards.length > 0) remark(`${plural(guards.length, 'guard')} ${dryRun ? 'would change' : 'changed'}.`);
        if (changes === 0 && guards.length === 0) remark('Nothing to change.');
        else if (changes === 0) return;
        else remark(`${plural(changes, 'environment')} ${options.dryRun ? 'would change' : 'changed'}.`);
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

function printGuardStep({ tag, before, after }: GuardPlanStep): void {
  const verb = before === null ? '+ guard' : after === null ? '- guard' : '~ guard';
  print(tag === null ? '~ on refusal' : `${verb} ${tag}`);
  if (before !== null) print(`    - ${before}`);
  if (after !== null) print(`    + ${after}`);
}
