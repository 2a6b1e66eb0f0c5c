/** What coding agents send, and how they go on (test/fixtures/agents/README.md). */
import type { Agent } from './agent.js'
import { claudeCode } from './claude-code.js'
import { codex } from './codex.js'
import { geminiCli, router } from './gemini-cli.js'

export type { Agent, AgentCall, Answer, Body } from './agent.js'
export { readAnswer, recording, send } from './agent.js'

export { router }

export const agents: readonly Agent[] = [...codex, claudeCode, geminiCli]
