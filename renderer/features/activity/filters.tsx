import { useUsers } from '../../api/directory.ts';
import { IdSelect, userOption } from '../../ui/forms/id-select.tsx';

/** The search that both lists share. */
export interface SearchProps {
  typed: string;
  onType: (typed: string) => void;
}

/** Names are longer than the filters. */
export const wideDropdown = { width: 280, position: 'bottom-start' } as const;

/** Narrows a list to what one user did. */
export function UserFilter({ user, onChange }: { user: number | undefined; onChange: (id: number | null) => void }) {
  const { data: users = [] } = useUsers();
  return (
    <IdSelect
      aria-label="User"
      none="All users"
      flex="1 1 120px"
      maw={240}
      comboboxProps={wideDropdown}
      options={users.map(userOption)}
      value={user ?? null}
      onChange={onChange}
    />
  );
}
