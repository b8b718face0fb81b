import type { AuditRow } from '../../../server/contract/directory.ts';
import { plural } from '../../ui/text/format.ts';
import { isRecord } from '../../ui/text/is-record.ts';

/** A field of what was changed; its values in full, '' where it had none. */
export interface ChangedField {
  label: string;
  before: string;
  after: string;
}

const labels: Readonly<Record<string, string>> = {
  deploy_access_levels: 'Who may deploy',
  approval_rules: 'Approval rules',
};

/** Every field of the states before and after a change, those that differ first. */
export function changedFields({ before, after }: Pick<AuditRow, 'before' | 'after'>): ChangedField[] {
  const was = asRecord(before);
  const is = asRecord(after);
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    label: labels[name] ?? wordsOf(name),
    before: inFull(was[name]),
    after: inFull(is[name]),
  }));
  const differs = (field: ChangedField) => field.before !== field.after;
  return [...fields.filter(differs), ...fields.filter((field) => !differs(field) && field.before !== '')];
}

function asRecord(state: unknown): Record<string, unknown> {
  if (isRecord(state)) return state;
  return state === null || state === undefined ? {} : { value: state };
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value for people, lists with a line for each entry. */
function inFull(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(inFull).join('\n');
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const { description, required_approvals: approvals } = value;
  if (typeof description === 'string') {
    return typeof approvals === 'number' ? `${description}: ${plural(approvals, 'approval')}` : description;
  }
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${inFull(each)}`)
    .join('\n');
}
