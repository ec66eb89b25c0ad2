package rtoscope;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.EmptyMessage;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.config.CoapConfig.CongestionControlMode;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.Exchange.Origin;
import org.eclipse.californium.core.network.stack.AbstractLayer;
import org.eclipse.californium.core.network.stack.CongestionControlLayer;
import org.eclipse.californium.core.network.stack.ReliabilityLayer;
import org.eclipse.californium.core.network.stack.RemoteEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.util.ClockUtil;
import org.eclipse.californium.elements.util.LeastRecentlyUpdatedCache;

/**
 * Plays a script of events on Californium's own reliability layer, in virtual time, and prints what
 * it armed and what it knows after each.
 *
 * <pre>
 * mode COCOA          a new layer of this CongestionControlMode
 * send NS ID DRAW     at NS nanoseconds a request leaves; DRAW/2^32 is its random number
 * expire NS ID        its timer expires: the next copy, or after four the end
 * answer NS ID        its piggybacked response arrives
 * </pre>
 *
 * The answer to each event is one line: the timeout in force in milliseconds, then the variables of the
 * peer, read by reflection. (The signed jar lets no class of ours into its packages.)
 */
public final class Driver {
	static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5683);
	private static final String[] ESTIMATORS = { "strongRto", "weakRto" };
	private static final String[] VARIABLES = { "SRTT", "RTTVAR", "mdev", "mdev_max", "delta", "B_value", "RTT_max",
			"RTT_previous", "RTO_min" };

	/** Virtual time, nanoseconds. */
	static long now;
	static long draw;
	/** What the layer last asked to run when a timer expires. */
	static Runnable timer;

	/** Notes what to run and runs nothing. */
	private static final ScheduledExecutorService EXECUTOR = new ScheduledThreadPoolExecutor(1) {
		@Override
		public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
			timer = command;
			return new Armed();
		}
	};

	/** A timer that is armed for good: {@link #timer} is forgotten instead. */
	private static final class Armed extends FutureTask<Object> implements ScheduledFuture<Object> {
		Armed() {
			super(() -> null);
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return 0;
		}

		@Override
		public int compareTo(Delayed other) {
			return 0;
		}
	}

	private final Map<String, Exchange> exchanges = new HashMap<>();
	private final Map<String, Runnable> timers = new HashMap<>();
	private final ReliabilityLayer layer;

	Driver(CongestionControlMode mode) throws ReflectiveOperationException {
		Configuration config = configuration(mode);
		layer = CongestionControlLayer.newImplementation("", config);
		layer.setExecutors(EXECUTOR, EXECUTOR);
		layer.setLowerLayer(new AbstractLayer() {
			@Override
			public void sendRequest(Exchange exchange, Request request) {
				// As CoapEndpoint does below the layers.
				if (exchange.getFailedTransmissionCount() == 0) {
					exchange.startTransmissionRtt();
				}
				request.setSent(true);
			}

			@Override
			public void sendEmptyMessage(Exchange exchange, EmptyMessage message) {
			}
		});
		layer.setUpperLayer(new AbstractLayer() {
			@Override
			public void receiveResponse(Exchange exchange, Response response) {
			}
		});
		seed(layer);
	}

	static Configuration configuration(CongestionControlMode mode) {
		Configuration config = Configuration.createStandardWithoutFile();
		config.set(CoapConfig.CONGESTION_CONTROL_ALGORITHM, mode);
		config.set(CoapConfig.NSTART, 8);
		return config;
	}

	/** Has the layer take its random numbers from {@link #draw}. */
	static void seed(ReliabilityLayer layer) throws ReflectiveOperationException {
		Field random = ReliabilityLayer.class.getDeclaredField("rand");
		random.setAccessible(true);
		random.set(layer, new Random() {
			@Override
			public int nextInt(int bound) {
				return (int) ((bound * draw) >>> 32);
			}
		});
	}

	/** A request leaves; {@link #timer} is its timer then. */
	Exchange send(long number) {
		draw = number;
		Request request = Request.newGet();
		request.setType(Type.CON);
		request.setDestinationContext(new AddressEndpointContext(PEER));
		// No executor: the exchange runs everything at once, in this thread.
		Exchange exchange = new Exchange(request, PEER, Origin.LOCAL, null);
		layer.sendRequest(exchange, request);
		return exchange;
	}

	/** Its piggybacked response arrives. */
	void answer(Exchange exchange) {
		Response response = new Response(ResponseCode.CONTENT);
		response.setType(Type.ACK);
		response.setTransmissionRttNanos(exchange.calculateTransmissionRtt());
		layer.receiveResponse(exchange, response);
		exchange.executeComplete();
	}

	private String event(String[] words) throws ReflectiveOperationException {
		now = Long.parseLong(words[1]);
		String id = words[2];
		timer = null;
		Exchange exchange;
		if (words[0].equals("send")) {
			exchange = send(Long.parseLong(words[3]));
			exchanges.put(id, exchange);
		} else if (words[0].equals("expire")) {
			exchange = exchanges.get(id);
			timers.remove(id).run();
			if (exchange.isComplete()) {
				exchanges.remove(id);
			}
		} else if (words[0].equals("answer")) {
			exchange = exchanges.remove(id);
			timers.remove(id);
			answer(exchange);
		} else {
			throw new IllegalArgumentException(words[0]);
		}
		if (timer != null) {
			timers.put(id, timer);
		}
		return exchange.getCurrentTimeout() + state();
	}

	/** The peer's variables as ` name=value`. */
	private String state() throws ReflectiveOperationException {
		if (!(layer instanceof CongestionControlLayer)) {
			return "";
		}
		// Looked up without marking it as used.
		Field cache = CongestionControlLayer.class.getDeclaredField("remoteEndpoints");
		cache.setAccessible(true);
		@SuppressWarnings("unchecked")
		RemoteEndpoint peer = ((LeastRecentlyUpdatedCache<Object, RemoteEndpoint>) cache.get(layer)).get(PEER);
		StringBuilder text = new StringBuilder(" rto=" + peer.getCurrentRTO());
		for (String name : ESTIMATORS) {
			Object rto = read(peer, name);
			if (rto != null) {
				text.append(' ').append(name).append('=').append(read(rto, "rto"));
				text.append(' ').append(name).append("_rtt=").append(read(rto, "rtt"));
				text.append(' ').append(name).append("_rttvar=").append(read(rto, "rttVar"));
			}
		}
		for (String name : VARIABLES) {
			Object value = read(peer, name);
			if (value != null) {
				text.append(' ').append(name).append('=').append(value instanceof Float ? (double) (Float) value : value);
			}
		}
		return text.toString();
	}

	/** A private field, or null when the object has none of that name. */
	private static Object read(Object object, String name) throws ReflectiveOperationException {
		try {
			Field field = object.getClass().getDeclaredField(name);
			field.setAccessible(true);
			return field.get(object);
		} catch (NoSuchFieldException none) {
			return null;
		}
	}

	/** What has to happen once before any layer is made. */
	static void prepare() {
		CoapConfig.register();
		ClockUtil.setRealtimeHandler(() -> now);
	}

	public static void main(String[] arguments) throws Exception {
		prepare();
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		PrintStream out = new PrintStream(new java.io.BufferedOutputStream(System.out), false, "US-ASCII");
		Driver driver = null;
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			String[] words = line.split(" ");
			if (words[0].equals("mode")) {
				driver = new Driver(CongestionControlMode.valueOf(words[1]));
				out.println(line);
			} else {
				out.println(driver.event(words));
			}
		}
		out.flush();
	}
}
