/** Finds people to choose from. */
import type { Page } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type Person = Pick<components['schemas']['User'], 'id' | 'username' | 'display_name'>

/** Users a word fits, or a number is of, the first few. */
export async function findPeople(
  keyword: string,
  signal?: AbortSignal,
): Promise<readonly Person[]> {
  const { items } = await request<Page<Person>>('GET', '/api/user/search', {
    query: { keyword, p: 1, page_size: 20 },
    signal,
  })
  return items
}
