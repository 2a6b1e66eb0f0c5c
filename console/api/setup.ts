/** The first start: `GET` and `POST /api/setup`. */
import { request } from './request.js'

export interface SetupState {
  /** True once there is a root user. */
  readonly status: boolean
  readonly database_type: string
  /** Until then: what a form may leave out. A question that is not here has been decided by the environment. */
  readonly suggested?: Partial<SetupDoors>
}

interface SetupDoors {
  readonly RegisterEnabled: boolean
  readonly PrivateUpstreamsEnabled: boolean
}

export interface SetupForm extends Partial<SetupDoors> {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  /** Printed by the gateway at its start. */
  readonly code: string
  readonly SelfUseModeEnabled: boolean
  readonly DemoSiteEnabled: boolean
}

export function readSetup(): Promise<SetupState> {
  return request('GET', '/api/setup')
}

export async function setUp(form: SetupForm): Promise<void> {
  await request('POST', '/api/setup', { body: form })
}
