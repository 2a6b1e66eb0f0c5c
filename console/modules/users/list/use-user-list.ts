/** The list of users: its filters and its order, as the address holds them. */
import { readUsers, type User } from '../../../api/users.js'
import { type List, useList } from '../../../ui/list/use-list.js'

/** Column and direction, as the server sorts. */
export const orders = [
  'id desc',
  'id asc',
  'username asc',
  'quota desc',
  'quota asc',
  'last_login_at desc',
  'last_login_at asc',
] as const

const usual = { keyword: '', group: '', role: 0, status: 0, order: 'id desc' }

export type UserFilters = typeof usual

export function useUserList(): List<User, UserFilters> {
  return useList<User, UserFilters>({
    key: 'users',
    filters: usual,
    read({ order, ...query }, signal) {
      const [sort_by, sort_order] = order.split(' ')
      return readUsers({ ...query, sort_by, sort_order }, signal)
    },
    refreshMs: 60_000,
  })
}
