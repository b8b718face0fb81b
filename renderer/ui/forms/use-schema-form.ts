import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useId } from 'react';
import type { ZodType } from 'zod';
import { config } from 'zod/v4/core';
import { CallFailed } from '../../api/call.ts';
import { upperFirst } from '../text/format.ts';

// The page may not compile code. Without this, the schemas would try it once, and the attempt would be reported.
config({ jitless: true });

type Sentences<Values> = Partial<Readonly<Record<Extract<keyof Values, string>, string>>>;

interface SchemaFormOptions<Values> {
  /** What the values are sent as, where that differs: it is this that the schema checks. Its names are those of the fields. */
  toInput?: (values: Values) => Readonly<Record<string, unknown>>;
  /** The field of a name that is not one, such as a time that is typed in other units. */
  fieldOf?: Readonly<Record<string, Extract<keyof Values, string>>>;
  /** Fields that must not be empty, each with the sentence that says so: "Enter a name." Their labels are marked. They may depend on others. */
  required?: Sentences<Values> | ((values: Values) => Sentences<Values>);
  /** Why the server refused what was sent, if it did: what it says of a field is shown there. */
  refusal?: Error | null;
  onValuesChange?: () => void;
}

/**
 * A form that is checked before it is sent: for empty fields, and by a schema of the contract. A refused value shows its reason at its
 * field, and the first such field takes the focus; so the button that submits is never off because something is missing. `submit` makes
 * the handler for the form element or the dialog, and `otherRefusal` is the refusal unless the fields say all of it.
 */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: ZodType,
  initialValues: Values,
  options: SchemaFormOptions<Values> = {},
) {
  const { toInput = (values) => values, fieldOf = {}, required = {}, refusal = null, onValuesChange } = options;
  const check = schemaResolver(schema, { sync: true });
  const missingOf = (values: Values): Readonly<Record<string, string | undefined>> =>
    typeof required === 'function' ? required(values) : required;
  const form = useForm<Values>({
    // Two forms in the window may have a field of the same name; the kit takes letters, digits and dashes.
    name: useId().replaceAll('_', '-'),
    initialValues,
    validate: (values) => {
      const input = toInput(values);
      const sent: Readonly<Record<string, unknown>> = { ...values, ...input };
      const empty = Object.entries(missingOf(values)).filter(([field]) => isEmpty(sent[field]));
      return { ...byField(check(input), fieldOf), ...Object.fromEntries(empty) };
    },
    enhanceGetInputProps: ({ field, inputProps, form: { getValues } }) => {
      if (missingOf(getValues())[String(field)] === undefined) return {};
      // A group of boxes cannot be marked so.
      return Array.isArray(inputProps.value) ? requiredField : { ...requiredField, 'aria-required': true };
    },
    ...(onValuesChange ? { onValuesChange } : {}),
  });
  const focus = (fields: readonly string[]) => focusFirst(fields.map((field) => form.getInputNode(field)));
  const submit = (send: (values: Values) => void) => form.onSubmit(send, (errors) => focus(Object.keys(errors)));
  const refused = byField(refusedFields(refusal), fieldOf);
  const showRefused = useEffectEvent(() => {
    const own = Object.entries(refused).filter(([field]) => field in initialValues);
    if (own.length === 0) return;
    form.setErrors(Object.fromEntries(own));
    focus(own.map(([field]) => field));
  });
  useEffect(() => {
    if (refusal !== null) showRefused();
  }, [refusal]);
  const saidAtFields = Object.keys(refused);
  const isSaid = saidAtFields.length > 0 && saidAtFields.every((field) => field in initialValues);
  return { ...form, submit, otherRefusal: isSaid ? null : refusal };
}

/** What the server says of each field, as sentences. Of the taken path of a project GitLab complains three times: the last is its field. */
function refusedFields(refusal: Error | null): Record<string, string> {
  const fields = refusal instanceof CallFailed ? Object.entries(refusal.details.fields ?? {}) : [];
  const isTakenProject = fields.some(([field]) => field === 'project_namespace.name');
  return Object.fromEntries(
    (isTakenProject ? fields.slice(-1) : fields).map(([field, complaints]) => {
      const name = upperFirst(field.replaceAll('_', ' '));
      return [field, complaints.map((complaint) => `${name} ${complaint}.`).join(' ')];
    }),
  );
}

/** Marks the label of a field that must not be empty; `theme.css` draws the mark, so that it is no part of the name. */
export const requiredField = { labelProps: { 'data-required': true } } as const;

/** Puts the focus into the first of these fields on the page, also where it is in a part that is closed. */
export function focusFirst(fields: readonly (HTMLElement | null)[]): void {
  const [first] = fields
    .filter((field) => field !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  first?.closest('details')?.setAttribute('open', '');
  const focusable = 'input, button, textarea';
  (first?.matches(focusable) ? first : first?.querySelector<HTMLElement>(focusable))?.focus();
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** An element of a list is part of one field: `scopes.0` is reported at `scopes`. */
function byField<T>(errors: Record<string, T>, fieldOf: Readonly<Record<string, string>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, error]) => {
      const name = path.split('.')[0] ?? path;
      return [fieldOf[name] ?? name, error];
    }),
  );
}
