import type { AuditRow } from '../../../server/contract/directory.ts';
import { isRecord } from '../../api/is-record.ts';
import { asRecord, fieldLabel, ruleText, scalarText } from './field-text.ts';

/** A field of what was changed; its values in full, '' where it had none. */
export interface ChangedField {
  label: string;
  before: string;
  after: string;
}

/** Every field of the states before and after a change, those that differ first. */
export function changedFields({ before, after }: Pick<AuditRow, 'before' | 'after'>): ChangedField[] {
  const was = asRecord(before);
  const is = asRecord(after);
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    label: fieldLabel(name),
    before: inFull(name, was[name]),
    after: inFull(name, is[name]),
  }));
  const differs = (field: ChangedField) => field.before !== field.after;
  return [...fields.filter(differs), ...fields.filter((field) => !differs(field) && field.before !== '')];
}

/** A value for people, lists with a line for each entry. */
function inFull(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return scalarText(name, value);
  if (Array.isArray(value)) return value.map((each) => inFull(name, each)).join('\n');
  if (!isRecord(value)) return JSON.stringify(value);
  return (
    ruleText(value) ??
    Object.entries(value)
      .map(([key, each]) => `${key}: ${inFull(key, each)}`)
      .join('\n')
  );
}
