import { schemaResolver, useForm } from '@mantine/form';
import type { ZodType } from 'zod';

interface SchemaFormOptions<Values> {
  /** What the values are sent as, where that differs: it is this that the schema checks. Its names are those of the fields. */
  toInput?: (values: Values) => unknown;
  /** The field of a name that is not one, such as a time that is typed in other units. */
  fieldOf?: Readonly<Record<string, Extract<keyof Values, string>>>;
  onValuesChange?: () => void;
}

/**
 * A form that a schema of the contract checks before it is sent. A refused value shows its reason at its field, and the first such field
 * takes the focus. `submit` makes the handler for the form element or the dialog.
 */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: ZodType,
  initialValues: Values,
  { toInput = (values) => values, fieldOf = {}, onValuesChange }: SchemaFormOptions<Values> = {},
) {
  const check = schemaResolver(schema, { sync: true });
  const form = useForm<Values>({
    initialValues,
    validate: (values) => byField(check(toInput(values) as Record<string, unknown>), fieldOf),
    ...(onValuesChange ? { onValuesChange } : {}),
  });
  const submit = (send: (values: Values) => void) =>
    form.onSubmit(send, (errors) => {
      const [first = ''] = Object.keys(errors);
      form.getInputNode(first)?.focus();
    });
  return { ...form, submit };
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
