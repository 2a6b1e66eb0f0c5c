/** Groups as admins see them: ratios, who may use them, what stands in them. */
import { request } from './request.js'
import type { components } from './schema.js'

export type Group = components['schemas']['Group']

export type GroupForm = Omit<Group, 'channels' | 'users' | 'auto_routes'>

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
