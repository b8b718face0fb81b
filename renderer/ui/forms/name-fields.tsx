import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { namespacePath, projectPath } from '../../../server/contract/constants.ts';
import { pathFollowing, pathFromName } from './path-from-name.ts';

/** As `useSchemaForm` gives them. */
interface FieldProps {
  value?: string;
  error?: ReactNode;
  onChange: (value: unknown) => void;
}

interface NameFieldsProps {
  /** Of the second field, which is part of URLs. */
  label: 'Path' | 'Username';
  name: FieldProps;
  path: FieldProps;
  /** Whether the path follows the name until another is typed: that of something new. */
  isNew: boolean;
}

/** The fields of a name and of the path that goes with it. */
export function NameFields({ label, name, path, isNew }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        {...name}
        onChange={(event) => {
          const next = event.currentTarget.value;
          if (isNew) path.onChange(pathFollowing(path.value ?? '', name.value ?? '', next));
          name.onChange(next);
        }}
      />
      <TextInput
        label={label}
        autoComplete="off"
        spellCheck={false}
        // What is typed takes its place.
        data-suggested={(isNew && path.value !== '' && path.value === pathFromName(name.value ?? '')) || undefined}
        {...path}
      />
    </>
  );
}

/** The path of a user or group as the server checks it. */
export const namespacePathOf = (field: z.ZodString) =>
  field
    .regex(namespacePath.letters, 'Letters, digits, _ - and . only, not starting with -.')
    .refine((path) => !namespacePath.refusedEnd.test(path), 'Not ending in ., .git or .atom.');

/** The path of a project as the server checks it. */
export const projectPathOf = (field: z.ZodString) =>
  field
    .regex(projectPath.letters, 'Letters, digits, _ - and . only, with a letter or digit at both ends.')
    .refine((path) => !projectPath.refusedEnd.test(path), 'Not ending in .git or .atom.');
