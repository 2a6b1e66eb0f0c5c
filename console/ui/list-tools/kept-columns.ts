/** The columns chosen for each list, kept in this browser. Like the theme they show nothing of what somebody did here. */
import { recallJson, remember } from '../../shell/remembered.js'
import { isObject } from '../json-text.js'

const place = 'columns'

export function keptColumns(list: string): string {
  const text = all()[list]
  return typeof text === 'string' ? text : ''
}

/** False: the browser refuses to keep it, and it lasts as long as the page. */
export function keepColumns(list: string, text: string): boolean {
  const { [list]: _, ...others } = all()
  return remember(place, JSON.stringify(text === '' ? others : { ...others, [list]: text }))
}

function all(): Readonly<Record<string, unknown>> {
  const kept = recallJson(place)
  return isObject(kept) ? kept : {}
}
