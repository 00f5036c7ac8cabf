"""Words that carry no meaning of their own, for searches only: what is indexed keeps them all.

Short on purpose: articles, pronouns, prepositions, auxiliaries and question words. Written as ``terms`` folds
them: lower case, no accents, no apostrophe (``don`` is what is left of ``don't``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_ENGLISH = """
a about after all also am an and any are as at be been before being both but by can could did do
does doing don for from had has have having he her here him his how i if in into is it its just may
me might more most my no not of on or our out over own shall she should so some such than that the
their them then there these they this those to too us very was we were what when where which while
who whom whose why will with would you your aren couldn didn doesn hadn hasn haven isn shouldn wasn
weren won wouldn ll re ve
"""

_ITALIAN = """
a ad agli ai al all alla alle allo anche avere c che chi ci cio come con cosa cui d da dagli dai dal
dall dalla dalle dallo de degli dei del dell della delle dello di dove e ed era erano essere fra fu
furono gli ha hanno ho i il in io l la le lei li lo loro lui ma mi ne negli nei nel nell nella nelle
nello noi non nostro o per perche piu qual quale quali quando quanta quante quanti quanto quella
quelle quelli quello questa queste questi questo se sei si sia sono stata state stati stato su sua
sue sugli sui sul sull sulla sulle sullo suo suoi ti tra tu tutti tutto un una uno vi voi
"""

_GERMAN = """
aber als am an auch auf aus bei beim bin bis bist da damit dann das dass dein dem den denn der des
dessen die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er
es euch fur habe haben hat hatte hatten ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist ja kann
kein keine konnen man mein mich mir mit muss nach nicht noch nun nur ob oder ohne sein seine seinem
seinen seiner sich sie sind so soll uber um und uns unser unter vom von vor wann war waren warum was
weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder wir wird wo
wurde wurden zu zum zur zwischen
"""

_SPANISH = """
a al algo alguna algunas alguno algunos ante como con cual cuales cuando cuanta cuantas cuanto
cuantos de del desde donde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos
esta estaba estan estar estas este esto estos fue fueron ha habia han hasta hay he la las le les lo
los mas me mi mis muy nada ni no nos nosotros o os para pero por porque que quien quienes se ser si
sin sobre son su sus tambien te tiene tienen todo todos tu tus un una unas uno unos y ya yo
"""

_FRENCH = """
a ai alors apres au aucun aussi autre aux avant avec avoir c ce cela ces cet cette chez comme
comment d dans de des donc dont du elle elles en entre est et etaient etait etant ete etre eu eux
fait fut il ils j je l la le les leur leurs lors lui m ma mais me meme mes moi mon n ne ni nos notre
nous on ont ou par pas pendant plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s
sa sans se ses si son sont sous sur t ta te tes toi ton tous tout tres tu un une vos votre vous y
"""

_PORTUGUESE = """
a ao aos as ate com como da das de dela dele do dos e ela elas ele eles em entre era eram essa esse
esta estao este eu foi foram ha isso isto ja lhe mais mas me meu minha muito na nao nas nem no nos
nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando que quem
se sem ser seu seus sob sobre sua suas tambem te tem um uma voce voces
"""

STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": frozenset(_ENGLISH.split()),
        "it": frozenset(_ITALIAN.split()),
        "de": frozenset(_GERMAN.split()),
        "es": frozenset(_SPANISH.split()),
        "fr": frozenset(_FRENCH.split()),
        "pt": frozenset(_PORTUGUESE.split()),
    }
)
"""By ISO 639-1 code; a language without a list drops nothing."""
