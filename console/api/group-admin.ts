/** Groups as admins see them: ratios, who may use them, what stands in them. */
import { request } from './request.js'

export interface Group {
  readonly name: string
  /** Factor over every price. */
  readonly ratio: number
  /** Everybody may use it. */
  readonly usable: boolean
  /** The description shown to those who may use it. */
  readonly desc: string
  /** By group of the caller: ratios that stand before the group's own. */
  readonly special_ratios: Readonly<Record<string, number>>
  /** Groups its users may use beside those everybody may, and those they may not. */
  readonly also_usable: readonly string[]
  readonly not_usable: readonly string[]
  readonly channels: number
  readonly users: number
  readonly auto_routes: number
}

export interface GroupForm {
  readonly name: string
  readonly ratio: number
  readonly desc: string
  readonly usable: boolean
  readonly special_ratios: Readonly<Record<string, number>>
  readonly also_usable: readonly string[]
  readonly not_usable: readonly string[]
}

export function readGroups(): Promise<readonly Group[]> {
  return request('GET', '/api/group/all')
}

export function createGroup(form: GroupForm): Promise<Group> {
  return request('PUT', '/api/group/', { body: { ...form, is_new: true } })
}

/** What is left out stays. */
export function changeGroup(name: string, changes: Partial<GroupForm>): Promise<Group> {
  return request('PUT', '/api/group/', { body: { ...changes, name, is_new: false } })
}

export async function deleteGroup(name: string): Promise<void> {
  await request('DELETE', `/api/group/${encodeURIComponent(name)}`)
}
