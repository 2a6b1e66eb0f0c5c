/** The first start: `GET` and `POST /api/setup`. */
import { request } from './request.js'
import type { components } from './schema.js'

export type SetupState = components['schemas']['SetupState']

type SetupDoors = NonNullable<SetupState['suggested']>

export interface SetupForm extends Partial<SetupDoors> {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  /** Printed by the gateway at its start. */
  readonly code: string
  /** Quota. */
  readonly root_balance: number
  readonly SelfUseModeEnabled: boolean
  readonly DemoSiteEnabled: boolean
}

export function readSetup(): Promise<SetupState> {
  return request('GET', '/api/setup')
}

export async function setUp(form: SetupForm): Promise<void> {
  await request('POST', '/api/setup', { body: form })
}
