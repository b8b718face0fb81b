import { TagsInput } from '@mantine/core';
import { useMemo } from 'react';
import { scopesOf, usePackages } from '../../api/packages.ts';

interface SelectorFieldProps {
  label: string;
  description?: string;
  placeholder: string;
  /** How a scope is written here: `@acme` or `@acme/*`; left out where only packages can be named. */
  scopeForm?: (scope: string) => string;
  value: string[];
  onChange: (selectors: string[]) => void;
}

/** Names of packages and scopes, offered from those that are here. */
export function SelectorField({ scopeForm, placeholder, value, onChange, ...words }: SelectorFieldProps) {
  const { data: packages } = usePackages();
  const offered = useMemo(() => {
    const list = packages ?? [];
    const scopes = scopesOf(list).filter((scope) => scope !== '');
    return [...new Set([...(scopeForm ? scopes.map(scopeForm) : []), ...list.map((pack) => pack.name)])];
  }, [packages, scopeForm]);
  return (
    <TagsInput
      {...words}
      className="gh-grow"
      placeholder={value.length === 0 ? placeholder : ''}
      data={offered}
      limit={40}
      maxDropdownHeight={260}
      value={value}
      onChange={onChange}
    />
  );
}
