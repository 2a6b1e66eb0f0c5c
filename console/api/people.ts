/** Finds people to choose from. */
import type { Page } from './page.js'
import { request } from './request.js'

export interface Person {
  readonly id: number
  readonly username: string
  readonly display_name: string
}

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
