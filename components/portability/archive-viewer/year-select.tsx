import { SelectField } from '@/components/ui/select-field';
import { goTo } from './route';

/** Opens another year's page. @param all the name of the option for every year, if there is one */
export function YearSelect({
  years,
  year,
  all,
  path,
}: {
  years: readonly number[];
  year: number | null;
  all?: string;
  path: (year: string) => string;
}) {
  return (
    <SelectField
      label="Year"
      value={year ?? ''}
      onChange={({ target }) => goTo(path(target.value))}
      className="w-36 grow sm:grow-0"
    >
      {all && <option value="">{all}</option>}
      {years.map((it) => (
        <option key={it} value={it}>
          {it}
        </option>
      ))}
    </SelectField>
  );
}
