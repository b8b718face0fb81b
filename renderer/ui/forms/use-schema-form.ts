import { schemaResolver, useForm } from '@mantine/form';
import { useId } from 'react';
import type { ZodType } from 'zod';
import { config } from 'zod/v4/core';

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
  onValuesChange?: () => void;
}

/**
 * A form that is checked before it is sent: for empty fields, and by a schema of the contract. A refused value shows its reason at its
 * field, and the first such field takes the focus; so the button that submits is never off because something is missing. `submit` makes
 * the handler for the form element or the dialog.
 */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: ZodType,
  initialValues: Values,
  { toInput = (values) => values, fieldOf = {}, required = {}, onValuesChange }: SchemaFormOptions<Values> = {},
) {
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
  const submit = (send: (values: Values) => void) =>
    form.onSubmit(send, (errors) => focusFirst(Object.keys(errors).map((field) => form.getInputNode(field))));
  return { ...form, submit };
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
