// What to play: a pure function from one turn to one card. Write your own here.
//
// A turn has all that your seat may know; its fields and their meaning stand in
// proto/californiajack/v1/game.proto (there `trump_card`, here `trumpCard`). A card is a number from
// 0 to 51, suit * 13 + rank: suits clubs, diamonds, hearts, spades, ranks two (0) to ace (12).

const TEN = 8;
const TRICK_POINTS = { 8: 10, 9: 1, 10: 2, 11: 3, 12: 4 }; // ten, jack, queen, king, ace

export const suitOf = (card) => Math.floor(card / 13);
export const rankOf = (card) => card % 13;

/** Chooses one of turn.legal, two cards at least: forced cards are played for you. */
export function choose(turn) {
  const legal = [...turn.legal];
  const trump = suitOf(turn.trumpCard);
  const cheapest = (cards) => cards.reduce((a, b) => (cost(b, trump) < cost(a, trump) ? b : a));
  if (!isPresent(turn.led)) {
    return lead(legal, trump);
  }
  const winning = legal.filter((card) => beats(card, turn.led, trump));
  // whoever wins the trick also draws the stock's top card, which lies face up
  const worth =
    rankOf(turn.led) >= TEN || (isPresent(turn.stockTop) && suitOf(turn.stockTop) === trump);
  return cheapest(winning.length > 0 && worth ? winning : legal);
}

// Leads the highest card, but keeps trumps as long as there is something else.
function lead(legal, trump) {
  const plain = legal.filter((card) => suitOf(card) !== trump);
  return (plain.length > 0 ? plain : legal).reduce((a, b) => (rankOf(b) > rankOf(a) ? b : a));
}

// What it costs to give a card away: trumps most, then trick points, then the rank.
function cost(card, trump) {
  const points = TRICK_POINTS[rankOf(card)] ?? 0;
  return (suitOf(card) === trump ? 1000 : 0) + 20 * points + rankOf(card);
}

/** Whether `card`, played second, wins against the card led. */
export function beats(card, led, trump) {
  return suitOf(card) === suitOf(led) ? card > led : suitOf(card) === trump;
}

// Card 0 is the two of clubs, so a plain truth test would take it for no card.
function isPresent(card) {
  return card !== undefined && card !== null;
}
