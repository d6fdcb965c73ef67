// What to play: a pure function from one turn to one card. It looks at the open trick only.
//
// Worth: a card's trick points, and 20 more for the trump ace, jack and two.
// Price, of spending a card: 8 plus its rank (two 0 … ace 12) for a trump; otherwise 0.
//
// Following, the stake is the worth of both cards and, while there is a stock, the worth and the
// price of its top card, which the winner draws. A card gains the stake if it wins, loses it if
// not, and costs its price. Leading, a king or an ace gains its worth, any other card loses it,
// and it costs its price. The card that gains most is played; among equals the lowest rank, then
// the lowest number.

const TWO = 0;
const JACK = 9;
const KING = 11;
const ACE = 12;
const SCORING_TRUMPS = [ACE, JACK, TWO]; // a game point each
const TRICK_POINTS = [0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4]; // by rank
const GAME_POINT = 20; // what a game point counts beside trick points
const TRUMP_PRICE = 8; // what the lowest trump is worth in the hand

// A card is a number from 0 to 51: suit * 13 + rank.
const suitOf = (card) => Math.floor(card / 13);
const rankOf = (card) => card % 13;

/**
 * Chooses the card to play.
 *
 * Of a turn's fields it reads `legal` (card numbers), `trumpCard`, and `led` and `stockTop`,
 * which are absent when the bot leads and when the stock is empty.
 */
export function choose(turn) {
  let best = null;
  for (const card of turn.legal) {
    const candidate = { card, rank: rankOf(card), gain: gain(card, turn) };
    if (best === null || isBetter(candidate, best)) {
      best = candidate;
    }
  }
  return best.card;
}

// A total order, so that no two programs that follow it can differ.
function isBetter(a, b) {
  if (a.gain !== b.gain) return a.gain > b.gain;
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.card < b.card;
}

// What playing this card brings, in trick points.
function gain(card, turn) {
  const trump = suitOf(turn.trumpCard);
  let stake = worth(card, trump);
  let wins = rankOf(card) >= KING;
  if (isPresent(turn.led)) {
    wins = beats(card, turn.led, trump);
    stake += worth(turn.led, trump);
    if (isPresent(turn.stockTop)) {
      stake += worth(turn.stockTop, trump) + price(turn.stockTop, trump);
    }
  }
  return (wins ? stake : -stake) - price(card, trump);
}

// What capturing this card is worth, in trick points.
function worth(card, trump) {
  const scores = suitOf(card) === trump && SCORING_TRUMPS.includes(rankOf(card));
  return TRICK_POINTS[rankOf(card)] + (scores ? GAME_POINT : 0);
}

// What having this card in the hand is worth, in trick points.
function price(card, trump) {
  return suitOf(card) === trump ? TRUMP_PRICE + rankOf(card) : 0;
}

// Whether `card`, played second, wins against the card led.
function beats(card, led, trump) {
  return suitOf(card) === suitOf(led) ? card > led : suitOf(card) === trump;
}

// Card 0 is the two of clubs, so a plain truth test would take it for no card.
function isPresent(card) {
  return card !== undefined && card !== null;
}
