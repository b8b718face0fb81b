import type { ReactNode } from 'react';
import { Chip } from '../text/chip.tsx';
import { formatClock, formatMoment } from '../text/format.ts';
import { Moment } from '../text/moment.tsx';
import { TailText } from '../text/tail-text.tsx';
import { RowMenu, type RowAction } from './row-menu.tsx';
import { tip } from '../text/tip.ts';
import type { Tone } from '../theme/theme.ts';
import type { Column } from './virtual-table.tsx';

type Layout<Row> = Pick<Column<Row>, 'align' | 'hideBelow'> & {
  /** What the tooltip of a cell says, where that is more than its text. */
  detail?: (row: Row) => string | undefined;
};

/** The column that takes the space which the others leave. */
export function wideColumn<Row>(label: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { key: label, label, width: 'minmax(0, 1fr)', cell };
}

/** A column that shows a state of each row; `detail` is its tooltip. */
export function chipColumn<Row>(
  label: string,
  width: string,
  state: (row: Row) => { label: string; tone: Tone; detail?: string },
): Column<Row> {
  const cell = (row: Row) => {
    const { label: text, tone, detail } = state(row);
    return (
      <Chip tone={tone} detail={detail}>
        {text}
      </Chip>
    );
  };
  return { key: label, label, width, cell };
}

/** A column of secondary text, cut where it does not fit. */
export function textColumn<Row>(
  label: string,
  width: string,
  text: (row: Row) => ReactNode,
  { detail, ...layout }: Layout<Row> = {},
): Column<Row> {
  return {
    key: label,
    label,
    width,
    ...layout,
    cell: (row) => (
      <div className="gh-muted gh-truncate" {...tip(detail?.(row))}>
        {text(row)}
      </div>
    ),
  };
}

interface TimeColumnOptions<Row> extends Pick<Column<Row>, 'align' | 'hideBelow'> {
  never?: string;
  /** A word before the time, for a row whose time is of something else than the column's label says. */
  lead?: (row: Row) => string | undefined;
}

/** A column that says how long ago something was; `never` for null. */
export function timeColumn<Row>(
  label: string,
  width: string,
  time: (row: Row) => number | null,
  { never = 'Never', lead, ...layout }: TimeColumnOptions<Row> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const at = time(row);
    const word = lead?.(row);
    return (
      <div className="gh-muted gh-truncate gh-capital">
        {word === undefined ? null : `${word} `}
        {at === null ? never : <Moment time={at} />}
      </div>
    );
  };
  return { key: label, label, width, ...layout, cell };
}

/** The column of the time of day of each row. */
export function clockColumn<Row extends { at: number }>(): Column<Row> {
  return {
    key: 'Time',
    label: 'Time',
    width: '86px',
    cell: ({ at }) => (
      <time className="gh-muted" dateTime={new Date(at).toISOString()} {...tip(formatMoment(at))}>
        {formatClock(at)}
      </time>
    ),
  };
}

/** The last column: the menu of each row; none for a row without actions. */
export function actionsColumn<Row>(name: (row: Row) => string, actions: (row: Row) => RowAction[]): Column<Row> {
  return {
    key: 'actions',
    label: 'Actions',
    labelHidden: true,
    width: '28px',
    nameOf: name,
    cell: (row) => {
      const offered = actions(row);
      return offered.length === 0 ? null : <RowMenu name={name(row)} actions={offered} />;
    },
  };
}

interface RowNameProps {
  name: ReactNode;
  /** What tells it from others of that name; left out where the name does. */
  id?: string | undefined;
  detail?: ReactNode;
  /** Its marks. */
  children?: ReactNode;
}

/** The name of a row, with what is known about it beside it. */
export function RowName({ name, id, detail, children }: RowNameProps) {
  return (
    <div className="gh-two-lines">
      <strong className="gh-truncate">{typeof name === 'string' ? <TailText text={name} tail={12} /> : name}</strong>
      {id === undefined || id === name ? null : (
        <span className="gh-truncate">
          <TailText text={id} tail={12} />
        </span>
      )}
      {detail && detail !== name ? <span className="gh-truncate">{detail}</span> : null}
      {children}
    </div>
  );
}
