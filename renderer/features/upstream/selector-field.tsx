import { TagsInput } from '@mantine/core';
import { useMemo } from 'react';
import { scopesOf, usePackages } from '../../api/packages.ts';

interface SelectorFieldProps {
  label: string;
  placeholder: string;
  /** How a scope is written here: `@acme` or `@acme/*`; left out where only packages can be named. */
  scopeForm?: (scope: string) => string;
  value?: string[];
  onChange: (selectors: string[]) => void;
}

/** Names of packages and scopes; those that are here are suggested. */
export function SelectorField({ scopeForm, placeholder, value = [], ...props }: SelectorFieldProps) {
  const { data: packages } = usePackages();
  const suggestions = useMemo(() => {
    const list = packages ?? [];
    const scopes = scopesOf(list).filter((scope) => scope !== '');
    return [...new Set([...(scopeForm ? scopes.map(scopeForm) : []), ...list.map((pack) => pack.name)])];
  }, [packages, scopeForm]);
  return (
    <TagsInput
      {...props}
      className="gh-grow"
      placeholder={value.length === 0 ? placeholder : ''}
      data={suggestions}
      limit={40}
      maxDropdownHeight={260}
      value={value}
    />
  );
}
