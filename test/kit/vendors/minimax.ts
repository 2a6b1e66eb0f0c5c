import { isRecord, listIn } from '../vendor.js'
import {
  isChat,
  noSystemTurns,
  rolesOfMessages,
  rule,
  systemIsOne,
  systemStandsFirst,
} from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const minimax: Vendor = {
  name: 'MiniMax',
  type: 35,
  models: ['MiniMax-M3'],
  rules: [
    systemIsOne({
      source: 'github.com/MiniMax-AI/MiniMax-M2/issues/51, github.com/can1357/oh-my-pi/pull/954',
      read,
    }),
    systemStandsFirst({
      source:
        'github.com/MiniMax-AI/MiniMax-M2/issues/27, github.com/BigPizzaV3/CodexPlusPlus/issues/410',
      read,
    }),
    rule(
      'invalid params, function parameters is empty (2013)',
      { of: isChat, source: 'github.com/QwenLM/qwen-code/issues/11905', read },
      (body) =>
        listIn(body, 'tools').some(
          ({ function: declared }) => !isRecord(declared) || declared.parameters === undefined,
        ),
    ),
    noSystemTurns(rolesOfMessages),
  ],
  takes: ['reasoning_split'],
  // github.com/milind-soni/OpenMausBot/pull/1200
  endsSilently: true,
}
